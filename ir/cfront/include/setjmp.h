#ifndef _SETJMP_H
#define _SETJMP_H
typedef long jmp_buf[25];
typedef long sigjmp_buf[25];
int setjmp(jmp_buf);
int _setjmp(jmp_buf);
int sigsetjmp(sigjmp_buf, int);
void longjmp(jmp_buf, int);
void _longjmp(jmp_buf, int);
void siglongjmp(sigjmp_buf, int);
#endif
