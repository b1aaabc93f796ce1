/* What comes from outside, and goes there: nothing is stored, what is read is
   free, and each call may fail where C says that it can. __lasting makes an
   object that nobody frees, __forget_errno makes errno free, __readable checks that
   so many bytes are there. */

static long nondet_long(void);
extern void *__lasting(size_t);

struct _IO_FILE { int _flags; long _rest[26]; };

/* 0, or -1. */
static int done(void)
{
	__forget_errno();
	return nondet_result() ? -1 : 0;
}

/* Of a file descriptor: there is none below 0. */
static int done_with(int fd) { return done() || fd < 0 ? -1 : 0; }

/* From 0 to MOST, or -1. */
static long at_most(size_t most)
{
	long r = nondet_long();
	__forget_errno();
	return r >= 0 && r <= most ? r : -1;
}

static long at_most_of(int fd, size_t most)
{
	long r = at_most(most);
	return fd < 0 ? -1 : r;
}

static char first(const char *s) { return *s; }

static struct _IO_FILE *stream(void)
{
	__forget_errno();
	if (!nondet_result())
		return 0;
	struct _IO_FILE *f = __lasting(sizeof *f);
	return f;
}

static int opened(struct _IO_FILE *f) { return f->_flags; }

/* Any string. */
static char *any_string(void)
{
	char *s = __lasting(MAX_LEN);
	s[MAX_LEN - 1] = 0;
	return s;
}

struct _IO_FILE *fopen(const char *path, const char *mode) { first(path); first(mode); return stream(); }
struct _IO_FILE *fdopen(int fd, const char *mode) { first(mode); return stream(); }
struct _IO_FILE *popen(const char *command, const char *mode) { first(command); first(mode); return stream(); }
struct _IO_FILE *tmpfile(void) { return stream(); }
struct _IO_FILE *freopen(const char *path, const char *mode, struct _IO_FILE *f) { first(mode); opened(f); return stream() ? f : 0; }
int fclose(struct _IO_FILE *f) { opened(f); return done(); }
int pclose(struct _IO_FILE *f) { opened(f); return at_most(65535); }
int feof(struct _IO_FILE *f) { opened(f); return nondet_result(); }
int ferror(struct _IO_FILE *f) { opened(f); return nondet_result(); }
int fileno(struct _IO_FILE *f) { opened(f); return at_most(65535); }
void clearerr(struct _IO_FILE *f) { opened(f); }
void rewind(struct _IO_FILE *f) { opened(f); }
int fseek(struct _IO_FILE *f, long offset, int whence) { opened(f); return done(); }
long ftell(struct _IO_FILE *f) { opened(f); return at_most((size_t)-1); }
int setvbuf(struct _IO_FILE *f, char *buffer, int mode, size_t size) { opened(f); return done(); }
void setbuf(struct _IO_FILE *f, char *buffer) { opened(f); }
int ungetc(int c, struct _IO_FILE *f) { opened(f); return c >= 0 && !nondet_result() ? (unsigned char)c : -1; }
int remove(const char *path) { first(path); return done(); }
int rename(const char *from, const char *to) { first(from); first(to); return done(); }

size_t fread(void *p, size_t size, size_t n, struct _IO_FILE *f)
{
	size_t r = at_most(n);
	opened(f);
	if (size && n)
		__CPROVER_havoc_slice(p, size * n);
	return !size || r > n ? 0 : r;
}

size_t fwrite(const void *p, size_t size, size_t n, struct _IO_FILE *f)
{
	size_t r = at_most(n);
	opened(f);
	__readable(p, size * n);
	return !size || r > n ? 0 : r;
}

int open(const char *path, int flags, ...) { first(path); return at_most(65535); }
int openat(int fd, const char *path, int flags, ...) { first(path); return at_most(65535); }
int creat(const char *path, unsigned mode) { first(path); return at_most(65535); }
int close(int fd) { return done_with(fd); }
int pipe(int *ends)
{
	int in = at_most(65535), out = at_most(65535);
	if (in < 0 || out < 0 || in == out)
		return -1;
	ends[0] = in;
	ends[1] = out;
	return 0;
}
int dup(int fd) { return at_most_of(fd, 65535); }
int dup2(int from, int to) { return done_with(from) ? -1 : to; }
int access(const char *path, int mode) { first(path); return done(); }
int unlink(const char *path) { first(path); return done(); }
int gethostname(char *name, size_t size)
{
	if (size)
		__CPROVER_havoc_slice(name, size);
	return done();
}
int rmdir(const char *path) { first(path); return done(); }
int chdir(const char *path) { first(path); return done(); }
int mkdir(const char *path, unsigned mode) { first(path); return done(); }
int chmod(const char *path, unsigned mode) { first(path); return done(); }
int fsync(int fd) { return done_with(fd); }
int ftruncate(int fd, long length) { return done_with(fd); }
int isatty(int fd) { return done_with(fd) + 1; }
int fcntl(int fd, int command, ...) { return at_most_of(fd, (size_t)-1); }
int ioctl(int fd, unsigned long command, ...) { return at_most_of(fd, (size_t)-1); }
long lseek(int fd, long offset, int whence) { return at_most_of(fd, (size_t)-1); }
long sysconf(int name) { return at_most((size_t)-1); }

long read(int fd, void *p, size_t n)
{
	if (n)
		__CPROVER_havoc_slice(p, n);
	return at_most_of(fd, n);
}
long recv(int fd, void *p, size_t n, int flags) { return read(fd, p, n); }
long pread(int fd, void *p, size_t n, long offset) { return read(fd, p, n); }

long write(int fd, const void *p, size_t n) { __readable(p, n); return at_most_of(fd, n); }
long send(int fd, const void *p, size_t n, int flags) { return write(fd, p, n); }
long pwrite(int fd, const void *p, size_t n, long offset) { return write(fd, p, n); }

long getrandom(void *p, size_t n, unsigned flags) { return read(0, p, n); }

int getpid(void) { return at_most(4194304) & 4194303; }
int getppid(void) { return at_most(4194304) & 4194303; }
unsigned getuid(void) { return nondet_result(); }
unsigned geteuid(void) { return nondet_result(); }
unsigned getgid(void) { return nondet_result(); }
unsigned getegid(void) { return nondet_result(); }
int system(const char *command) { return at_most((size_t)-1); }

char *getenv(const char *name)
{
	first(name);
	return nondet_result() ? any_string() : 0;
}
int setenv(const char *name, const char *value, int replace) { first(name); first(value); return done(); }
int unsetenv(const char *name) { first(name); return done(); }
char *strerror(int error) { return any_string(); }
struct in_addr { unsigned s_addr; };
char *inet_ntoa(struct in_addr address) { return any_string(); }
char *ctime(const long *time) { __readable(time, sizeof *time); return any_string(); }

size_t strftime(char *s, size_t size, const char *format, const void *time)
{
	size_t r = at_most(size);
	first(format);
	if (size)
		__CPROVER_havoc_slice(s, size);
	if (!size || r >= size)
		return 0;
	s[r] = 0;
	return r;
}

void openlog(const char *name, int option, int facility) {}
void closelog(void) {}
