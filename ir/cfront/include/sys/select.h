#ifndef _SYS_SELECT_H
#define _SYS_SELECT_H
#include <sys/time.h>
#define FD_SETSIZE 1024
typedef struct { long fds_bits[16]; } fd_set;
#define FD_SET(d, s) ((s)->fds_bits[(d) / 64] |= 1l << (d) % 64)
#define FD_CLR(d, s) ((s)->fds_bits[(d) / 64] &= ~(1l << (d) % 64))
#define FD_ISSET(d, s) (((s)->fds_bits[(d) / 64] & 1l << (d) % 64) != 0)
#define FD_ZERO(s) memset((s), 0, sizeof(fd_set))
int select(int, fd_set *, fd_set *, fd_set *, struct timeval *);
#endif
