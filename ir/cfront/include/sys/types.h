#ifndef _SYS_TYPES_H
#define _SYS_TYPES_H
#include <stddef.h>
typedef int pid_t;
typedef unsigned uid_t, gid_t, mode_t, id_t, useconds_t;
typedef __predefined_uint64_t dev_t;
typedef unsigned long ino_t, nlink_t;
typedef __predefined_ptrdiff_t ssize_t;
typedef long off_t, blksize_t, blkcnt_t, suseconds_t;
typedef char *caddr_t;
typedef unsigned char u_char, u_int8_t;
typedef unsigned short u_short, ushort;
typedef __predefined_uint16_t u_int16_t;
typedef unsigned u_int, uint;
typedef __predefined_uint32_t u_int32_t;
typedef unsigned long u_long, ulong;
typedef __predefined_uint64_t u_int64_t;
#ifndef __TIME_TYPES
#define __TIME_TYPES
typedef long time_t;
typedef long clock_t;
#endif
#ifndef __INTN_TYPES
#define __INTN_TYPES
typedef signed char int8_t;
typedef __predefined_int16_t int16_t;
typedef __predefined_int32_t int32_t;
typedef __predefined_int64_t int64_t;
#endif
#include <sys/select.h>
#endif
