#ifndef _STDDEF_H
#define _STDDEF_H
typedef __predefined_size_t size_t;
typedef __predefined_ptrdiff_t ptrdiff_t;
typedef __predefined_wchar_t wchar_t;
#ifndef NULL
#define NULL ((void*)0)
#endif
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif
