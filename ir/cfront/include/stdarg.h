#ifndef _STDARG_H
#define _STDARG_H
typedef void *va_list;
#endif
