#include <sys/cdefs.h>
