#ifndef _UNISTD_H
#define _UNISTD_H
#include <sys/types.h>
unsigned sleep(unsigned);
int usleep(unsigned);
void _exit(int);
#endif
