#ifndef _STDIO_H
#define _STDIO_H
#include <stddef.h>
#define EOF (-1)
typedef void FILE;
extern FILE *stdin, *stdout, *stderr;
int printf(const char *, ...);
int fprintf(FILE *, const char *, ...);
int sprintf(char *, const char *, ...);
int snprintf(char *, size_t, const char *, ...);
int scanf(const char *, ...);
int fscanf(FILE *, const char *, ...);
int sscanf(const char *, const char *, ...);
int puts(const char *);
int fputs(const char *, FILE *);
int putchar(int);
int putc(int, FILE *);
int fputc(int, FILE *);
int getchar(void);
int getc(FILE *);
char *gets(char *);
char *fgets(char *, int, FILE *);
int fflush(FILE *);
void perror(const char *);
#endif
