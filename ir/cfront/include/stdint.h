#ifndef _STDINT_H
#define _STDINT_H
#ifndef __INTN_TYPES
#define __INTN_TYPES
typedef signed char int8_t;
typedef __predefined_int16_t int16_t;
typedef __predefined_int32_t int32_t;
typedef __predefined_int64_t int64_t;
#endif
typedef unsigned char uint8_t;
typedef __predefined_uint16_t uint16_t;
typedef __predefined_uint32_t uint32_t;
typedef __predefined_uint64_t uint64_t;
typedef signed char int_least8_t;
typedef short int_least16_t;
typedef __predefined_int32_t int_least32_t;
typedef __predefined_int64_t int_least64_t;
typedef unsigned char uint_least8_t;
typedef unsigned short uint_least16_t;
typedef __predefined_uint32_t uint_least32_t;
typedef __predefined_uint64_t uint_least64_t;
typedef __predefined_int_fast8_t int_fast8_t;
typedef __predefined_int_fast16_t int_fast16_t;
typedef __predefined_int_fast32_t int_fast32_t;
typedef __predefined_int64_t int_fast64_t;
typedef __predefined_uint_fast8_t uint_fast8_t;
typedef __predefined_uint_fast16_t uint_fast16_t;
typedef __predefined_uint_fast32_t uint_fast32_t;
typedef __predefined_uint64_t uint_fast64_t;
typedef __predefined_ptrdiff_t intptr_t;
typedef __predefined_size_t uintptr_t;
typedef __predefined_int64_t intmax_t;
typedef __predefined_uint64_t uintmax_t;
#define INT8_MIN (-128)
#define INT8_MAX 127
#define UINT8_MAX 255
#define INT16_MIN (-32767-1)
#define INT16_MAX 32767
#ifdef __INT16
#define UINT16_MAX 65535U
#define INT32_MIN (-2147483647L-1L)
#define INT32_MAX 2147483647L
#define UINT32_MAX 4294967295UL
#else
#define UINT16_MAX 65535
#define INT32_MIN (-2147483647-1)
#define INT32_MAX 2147483647
#define UINT32_MAX 4294967295U
#endif
#define INT64_MIN (-__predefined_64(9223372036854775807)-1)
#define INT64_MAX __predefined_64(9223372036854775807)
#define UINT64_MAX __predefined_u64(18446744073709551615)
#define INT_LEAST8_MIN INT8_MIN
#define INT_LEAST8_MAX INT8_MAX
#define UINT_LEAST8_MAX UINT8_MAX
#define INT_LEAST16_MIN INT16_MIN
#define INT_LEAST16_MAX INT16_MAX
#define UINT_LEAST16_MAX UINT16_MAX
#define INT_LEAST32_MIN INT32_MIN
#define INT_LEAST32_MAX INT32_MAX
#define UINT_LEAST32_MAX UINT32_MAX
#define INT_LEAST64_MIN INT64_MIN
#define INT_LEAST64_MAX INT64_MAX
#define UINT_LEAST64_MAX UINT64_MAX
#ifdef __INT16
#define INT_FAST8_MIN INT8_MIN
#define INT_FAST8_MAX INT8_MAX
#define UINT_FAST8_MAX UINT8_MAX
#define INT_FAST16_MIN INT16_MIN
#define INT_FAST16_MAX INT16_MAX
#define UINT_FAST16_MAX UINT16_MAX
#define INT_FAST32_MIN INT32_MIN
#define INT_FAST32_MAX INT32_MAX
#define UINT_FAST32_MAX UINT32_MAX
#define INTPTR_MIN INT16_MIN
#define INTPTR_MAX INT16_MAX
#define UINTPTR_MAX UINT16_MAX
#define PTRDIFF_MIN INT16_MIN
#define PTRDIFF_MAX INT16_MAX
#define SIZE_MAX UINT16_MAX
#elif defined __LONG32
#define INT_FAST8_MIN INT8_MIN
#define INT_FAST8_MAX INT8_MAX
#define UINT_FAST8_MAX UINT8_MAX
#define INT_FAST16_MIN INT32_MIN
#define INT_FAST16_MAX INT32_MAX
#define UINT_FAST16_MAX UINT32_MAX
#define INT_FAST32_MIN INT32_MIN
#define INT_FAST32_MAX INT32_MAX
#define UINT_FAST32_MAX UINT32_MAX
#define INTPTR_MIN INT32_MIN
#define INTPTR_MAX INT32_MAX
#define UINTPTR_MAX UINT32_MAX
#define PTRDIFF_MIN INT32_MIN
#define PTRDIFF_MAX INT32_MAX
#define SIZE_MAX UINT32_MAX
#else
#define INT_FAST8_MIN INT8_MIN
#define INT_FAST8_MAX INT8_MAX
#define UINT_FAST8_MAX UINT8_MAX
#define INT_FAST16_MIN INT64_MIN
#define INT_FAST16_MAX INT64_MAX
#define UINT_FAST16_MAX UINT64_MAX
#define INT_FAST32_MIN INT64_MIN
#define INT_FAST32_MAX INT64_MAX
#define UINT_FAST32_MAX UINT64_MAX
#define INTPTR_MIN INT64_MIN
#define INTPTR_MAX INT64_MAX
#define UINTPTR_MAX UINT64_MAX
#define PTRDIFF_MIN INT64_MIN
#define PTRDIFF_MAX INT64_MAX
#define SIZE_MAX UINT64_MAX
#endif
#define INT_FAST64_MIN INT64_MIN
#define INT_FAST64_MAX INT64_MAX
#define UINT_FAST64_MAX UINT64_MAX
#define INTMAX_MIN INT64_MIN
#define INTMAX_MAX INT64_MAX
#define UINTMAX_MAX UINT64_MAX
#define WCHAR_MIN __WCHAR_MIN__
#define WCHAR_MAX __WCHAR_MAX__
#define WINT_MIN __WINT_MIN__
#define WINT_MAX __WINT_MAX__
#define SIG_ATOMIC_MIN __SIG_ATOMIC_MIN__
#define SIG_ATOMIC_MAX __SIG_ATOMIC_MAX__
#define INT8_C(c) c
#define INT16_C(c) c
#ifdef __INT16
#define UINT16_C(c) c ## U
#define INT32_C(c) c ## L
#define UINT32_C(c) c ## UL
#else
#define UINT16_C(c) c
#define INT32_C(c) c
#define UINT32_C(c) c ## U
#endif
#define INT64_C(c) __predefined_64(c)
#define UINT8_C(c) c
#define UINT64_C(c) __predefined_u64(c)
#define INTMAX_C(c) __predefined_64(c)
#define UINTMAX_C(c) __predefined_u64(c)
#endif
