#ifndef _ASSERT_H
#define _ASSERT_H
void assert(int);
#define static_assert _Static_assert
#endif
