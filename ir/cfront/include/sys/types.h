#ifndef _SYS_TYPES_H
#define _SYS_TYPES_H
#include <stddef.h>
typedef int pid_t;
typedef unsigned uid_t, gid_t, mode_t, id_t, useconds_t;
typedef unsigned long dev_t, ino_t, nlink_t;
typedef long ssize_t, off_t, blksize_t, blkcnt_t, suseconds_t;
typedef char *caddr_t;
typedef unsigned char u_char, u_int8_t;
typedef unsigned short u_short, u_int16_t, ushort;
typedef unsigned u_int, u_int32_t, uint;
typedef unsigned long u_long, u_int64_t, ulong;
#ifndef __TIME_TYPES
#define __TIME_TYPES
typedef long time_t;
typedef long clock_t;
#endif
#endif
