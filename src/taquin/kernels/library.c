/* What every library has besides its kernels, and the kernel that it is tested with.

   Python trusts a library once `count_levels` has counted the 360 solvable 2x3 boards by their
   distance from the goal. It uses what all kernels use: arrays, 64-bit words, shifts and loops.

       1 2 3
       4 5 _     1, 2, 3, 5, 6, 7, 10, ... boards, and one at distance 21 */
#include "common.h"

#define COLUMNS 3
#define CELLS 6
/* Four bits per cell, the first cell in the lowest; 0 is the blank. */
#define GOAL 0x054321

struct levels {
    ARRAY(int64_t, boards);
    ARRAY(int64_t, levels);
};

/* Fills `boards` in breadth-first order, and `levels` with the count per depth; returns the sum. */
KERNEL(count_levels, levels) {
    struct levels *to = arguments;
    int64_t first = 0, last = 1, end = 1, level = 0;
    AT(to->boards, 0) = GOAL;
    while (first < last) {
        AT(to->levels, level) = last - first;
        for (int64_t place = first; place < last; place++) {
            int64_t board = AT(to->boards, place), blank = 0;
            while (board >> 4 * blank & 15) blank++;
            for (int direction = 0; direction < 4; direction++) {
                int64_t target = cell_beside(blank, direction, CELLS, COLUMNS);
                if (target < 0) continue;
                int64_t tile = board >> 4 * target & 15;
                int64_t child = board ^ tile << 4 * target ^ tile << 4 * blank;
                int64_t known = 0;
                while (known < end && AT(to->boards, known) != child) known++;
                if (known == end) AT(to->boards, end++) = child;
            }
        }
        first = last;
        last = end;
        level++;
    }
    return end;
}

#ifndef TAQUIN_BMI2

EXPORTED int (*taquin_give_way_address)(void);

/* A digest of the sources, by which Python recognises an outdated library. */
EXPORTED const char taquin_sources[] = TAQUIN_SOURCES;

#ifdef __x86_64__
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

#ifdef _WIN32
/* Windows calls it when it loads the library. */
int DllMainCRTStartup(void *library, unsigned reason, void *reserved) { return 1; }
#endif

#ifdef TAQUIN_CHECKED
#include <stdio.h>
#include <stdlib.h>

_Noreturn void taquin_failed(const char *what, const char *file, int line) {
    fprintf(stderr, "%s:%d: expected %s\n", file, line, what);
    abort();
}
#endif

#endif
