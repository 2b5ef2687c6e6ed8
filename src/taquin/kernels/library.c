/* What every library has besides its kernels. */
#include "common.h"

#ifdef TAQUIN_CHECKED
#include <stdio.h>
#include <stdlib.h>

_Noreturn void taquin_failed(const char *what, const char *file, int line) {
    fprintf(stderr, "%s:%d: expected %s\n", file, line, what);
    abort();
}

int (*taquin_give_way_address)(void);
#endif

/* A digest of the sources, by which Python recognises an outdated library. */
EXPORTED const char taquin_sources[] = TAQUIN_SOURCES;

#if defined(__x86_64__) && !defined(TAQUIN_CHECKED)
/* Whether this processor has the instructions BMI1 and BMI2. */
EXPORTED int taquin_has_bmi2(void) {
    unsigned a = 0, b, c = 0, d;
    __asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
    if (a < 7) return 0;
    a = 7;
    c = 0;
    __asm__ volatile("cpuid" : "+a"(a), "=b"(b), "+c"(c), "=d"(d));
    return b >> 3 & b >> 8 & 1;
}
#endif
