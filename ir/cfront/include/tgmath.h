#ifndef _TGMATH_H
#define _TGMATH_H
#include <math.h>
#endif
