/* Dates and clocks: each field is free within its range, whatever the time is. */

static long nondet_long(void);
extern void *__lasting(size_t);

struct tm {
	int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
	long tm_gmtoff;
	const char *tm_zone;
};

/* From low to high. */
static int within(int low, int high)
{
	int r = nondet_result();
	return r >= low && r <= high ? r : low;
}

static void any_date(struct tm *d, int utc)
{
	char *zone = __lasting(8);
	zone[7] = 0;
	d->tm_sec = within(0, 60);
	d->tm_min = within(0, 59);
	d->tm_hour = within(0, 23);
	d->tm_mday = within(1, 31);
	d->tm_mon = within(0, 11);
	d->tm_year = nondet_result();
	d->tm_wday = within(0, 6);
	d->tm_yday = within(0, 365);
	d->tm_isdst = utc ? 0 : within(0, 1);
	d->tm_gmtoff = utc ? 0 : within(-86400, 86400);
	d->tm_zone = zone;
}

/* Null where the year is no int. */
static struct tm *date_at(long time, struct tm *d, int utc)
{
	if (time < -67768040609740800 + 86400 || time > 67768036191676799 - 86400) {
		__forget_errno();
		if (nondet_result())
			return 0;
	}
	any_date(d, utc);
	return d;
}

static struct tm the_date;

struct tm *gmtime(const long *time) { return date_at(*time, &the_date, 1); }
struct tm *localtime(const long *time) { return date_at(*time, &the_date, 0); }
struct tm *gmtime_r(const long *time, struct tm *d) { return date_at(*time, d, 1); }
struct tm *localtime_r(const long *time, struct tm *d) { return date_at(*time, d, 0); }

/* The fields are brought into their ranges. */
static long time_of(struct tm *d, int utc)
{
	long r = nondet_long();
	__readable(d, sizeof *d);
	__forget_errno();
	if (nondet_result())
		return -1;
	any_date(d, utc);
	return r;
}

long mktime(struct tm *d) { return time_of(d, 0); }
long timegm(struct tm *d) { return time_of(d, 1); }

double difftime(long later, long earlier)
{
	return later < earlier ? -(double)((unsigned long)earlier - later) : (double)((unsigned long)later - earlier);
}

/* Clocks: those of Linux that every program may read don't fail. */
struct timespec { long tv_sec, tv_nsec; };

int clock_gettime(int clock, struct timespec *t)
{
	if (clock < 0 || clock > 3) {
		__forget_errno();
		if (nondet_result())
			return -1;
	}
	t->tv_sec = nondet_long() & 0xffffffffff;
	t->tv_nsec = within(0, 999999999);
	return 0;
}

struct timeval { long tv_sec, tv_usec; };

int gettimeofday(struct timeval *t, void *zone)
{
	t->tv_sec = nondet_long() & 0xffffffffff;
	t->tv_usec = within(0, 999999);
	return 0;
}
