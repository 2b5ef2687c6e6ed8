/* What all kernels share: records of arguments, checked indices, atomic numbers.

   A kernel takes a pointer to one record. Each field of a record is 8 bytes on every platform, so a
   record is laid out like the words that Python writes (taquin/system/compiled.py):

       struct line {                  class Line(NamedTuple):
           NUMBER(end);                   end: int
           ARRAY(uint8_t, cells);         cells: Array[uint8]       address, length
           MATRIX(int64_t, rows);         rows: Matrix[int64]       address, rows, columns
           struct other other;            other: Other              its fields in order
       };

   KERNEL(name, line) begins the kernel `name`; `arguments` points to its record. It returns within
   a few milliseconds, so that its caller can check limits and interrupts. AT and ROW index arrays;
   builds for tests check every index (`make kernels-checked`). */
#ifndef TAQUIN_COMMON_H
#define TAQUIN_COMMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* There is no C library; the compiler provides these three, and inlines them by these names only. */
#define memcpy __builtin_memcpy
#define memmove __builtin_memmove
#define memset __builtin_memset

typedef uint64_t word;

#define NUMBER(name) int64_t name
#define ARRAY(type, name) \
    _Alignas(8) type *name; \
    int64_t name##_length
#define MATRIX(type, name) \
    _Alignas(8) type *name; \
    int64_t name##_rows, name##_columns

#define AT(array, index) (array)[CHECKED(index, array##_length)]
#define ROW(matrix, row) ((matrix) + CHECKED(row, matrix##_rows) * matrix##_columns)

#ifdef TAQUIN_CHECKED
_Noreturn void taquin_failed(const char *what, const char *file, int line);
#define REQUIRE(condition) ((condition) ? (void)0 : taquin_failed(#condition, __FILE__, __LINE__))
#define CHECKED(index, length) \
    ({ int64_t i_ = (int64_t)(index); REQUIRE(i_ >= 0 && i_ < (length)); i_; })
#else
#define REQUIRE(condition) ((void)0)
#define CHECKED(index, length) ((int64_t)(index))
#endif

#ifdef _WIN32
#define EXPORTED __declspec(dllexport)
#else
#define EXPORTED __attribute__((visibility("default")))
#endif
/* Every kernel is compiled twice for x86-64, the second time for processors with BMI2. */
#ifdef TAQUIN_BMI2
#define KERNEL(name, record) EXPORTED int64_t name##_bmi2(struct record *arguments)
#else
#define KERNEL(name, record) EXPORTED int64_t name(struct record *arguments)
#endif
#define INLINED static inline __attribute__((always_inline))

INLINED void prefetch(const void *address) { __builtin_prefetch(address, 0, 3); }

INLINED int64_t smaller(int64_t one, int64_t other) { return one < other ? one : other; }
INLINED int64_t larger(int64_t one, int64_t other) { return one > other ? one : other; }

/* Copy a few numbers; a call of memcpy would take longer. */
INLINED void copy_words(word *restrict to, const word *restrict from, int64_t count) {
    for (int64_t i = 0; i < count; i++) to[i] = from[i];
}

/* Return the value at an address of half bytes: twice that of a byte, plus 1 for its upper half. */
INLINED word half_byte(word half) {
    return *(const uint8_t *)(uintptr_t)(half >> 1) >> ((half & 1) << 2) & 15;
}

/* Return the cell beside another, 0 above, 1 left, 2 right, 3 below; -1 beyond the rim. */
INLINED int64_t cell_beside(int64_t cell, int direction, int64_t cells, int64_t columns) {
    const int64_t offsets[] = {-columns, -1, 1, columns};
    int64_t beside = cell + offsets[direction];
    bool is_sideways = direction == 1 || direction == 2;
    if (beside < 0 || beside >= cells) return -1;
    return is_sideways && beside / columns != cell / columns ? -1 : beside;
}

/* Numbers that threads share. */
INLINED int64_t atomic_load(const int64_t *number) { return __atomic_load_n(number, __ATOMIC_ACQUIRE); }
INLINED void atomic_store(int64_t *number, int64_t value) {
    __atomic_store_n(number, value, __ATOMIC_RELEASE);
}
/* Returns the number before. */
INLINED int64_t atomic_add(int64_t *number, int64_t change) {
    return __atomic_fetch_add(number, change, __ATOMIC_ACQ_REL);
}
/* Returns whether the number was `old`. */
INLINED bool atomic_swap(int64_t *number, int64_t old, int64_t new) {
    return __atomic_compare_exchange_n(number, &old, new, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

/* The system's function that yields the core to another thread; Python sets it. */
EXPORTED extern int (*taquin_give_way_address)(void);
INLINED void give_way(void) {
    if (taquin_give_way_address) taquin_give_way_address();
}

#endif
