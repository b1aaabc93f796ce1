#ifndef _CTYPE_H
#define _CTYPE_H
int isdigit(int);
int isalpha(int);
int isalnum(int);
int isspace(int);
int isupper(int);
int islower(int);
int isxdigit(int);
int isprint(int);
int isgraph(int);
int ispunct(int);
int iscntrl(int);
int isblank(int);
int toupper(int);
int tolower(int);
#endif
