#ifndef _SYS_TYPES_H
#define _SYS_TYPES_H
#include <stddef.h>
typedef int pid_t;
typedef long ssize_t;
typedef long off_t;
#endif
