#ifndef _MATH_H
#define _MATH_H
double pow(double, double);
double sqrt(double);
double fabs(double);
double floor(double);
double ceil(double);
#endif
