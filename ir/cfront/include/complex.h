#ifndef _COMPLEX_H
#define _COMPLEX_H
#define complex _Complex
#define _Complex_I (__builtin_complex_i())
#define I _Complex_I
#endif
