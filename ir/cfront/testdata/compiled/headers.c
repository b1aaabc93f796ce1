/* What headers of the system say: sizes, and numbers. */
#define _GNU_SOURCE
#include <assert.h>
#include <arpa/inet.h>
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <grp.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sysexits.h>
#include <syslog.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>
#include <utime.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/times.h>
#include <sys/un.h>
#include <sys/utsname.h>
int main(void)
{
	assert(sizeof(FILE) == 216 && sizeof(struct stat) == 144 && sizeof(struct tm) == 56 && sizeof(sigset_t) == 128);
	assert(sizeof(struct sockaddr) == 16 && sizeof(struct sockaddr_in) == 16 && sizeof(struct sockaddr_in6) == 28);
	assert(sizeof(struct sockaddr_storage) == 128 && sizeof(struct sockaddr_un) == 110 && sizeof(struct msghdr) == 56);
	assert(sizeof(struct hostent) == 32 && sizeof(struct addrinfo) == 48 && sizeof(struct servent) == 32);
	assert(sizeof(struct pollfd) == 8 && sizeof(nfds_t) == 8 && sizeof(fd_set) == 128 && sizeof(struct iovec) == 16);
	assert(sizeof(struct rlimit) == 16 && sizeof(struct rusage) == 144 && sizeof(struct utsname) == 390);
	assert(sizeof(struct dirent) == 280 && sizeof(struct group) == 32 && sizeof(struct utimbuf) == 16 && sizeof(struct tms) == 32);
	assert(sizeof(struct termios) == 60 && sizeof(struct winsize) == 8 && sizeof(struct timespec) == 16);
	assert(POLLIN == 1 && POLLOUT == 4 && POLLNVAL == 32 && RTLD_NOW == 2 && RTLD_GLOBAL == 256 && FNM_NOMATCH == 1);
	assert(AF_UNIX == 1 && AF_INET == 2 && AF_INET6 == 10 && SOCK_STREAM == 1 && SOL_SOCKET == 1 && SO_REUSEADDR == 2);
	assert(SO_RCVBUF == 8 && SO_KEEPALIVE == 9 && MSG_NOSIGNAL == 0x4000 && SHUT_RDWR == 2 && TCP_NODELAY == 1);
	assert(IPPROTO_TCP == 6 && IPPROTO_UDP == 17 && INET_ADDRSTRLEN == 16 && INADDR_NONE == 0xffffffff && AI_PASSIVE == 1);
	assert(RLIMIT_NOFILE == 7 && RLIMIT_STACK == 3 && RUSAGE_CHILDREN == -1 && LOCK_NB == 4 && GRND_NONBLOCK == 1);
	assert(DT_DIR == 4 && DT_REG == 8 && ECHO == 8 && ICANON == 2 && VMIN == 6 && TCSAFLUSH == 2 && TIOCGWINSZ == 0x5413);
	assert(EX_USAGE == 64 && EX_CONFIG == 78 && O_CREAT == 64 && O_NONBLOCK == 2048 && SIGTERM == 15 && SIGCHLD == 17);
	fd_set s;
	FD_ZERO(&s);
	FD_SET(70, &s);
	assert(FD_ISSET(70, &s) && !FD_ISSET(6, &s));
	FD_CLR(70, &s);
	assert(!FD_ISSET(70, &s));
	return 0;
}
