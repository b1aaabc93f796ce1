#ifndef _ERRNO_H
#define _ERRNO_H
extern int errno;
#endif
