/* The plain yardstick in C: recursive IDA* with Manhattan distance on 4 x 4, blank-first goal.
   Arguments: the 16 tiles, row by row. Prints bound, nodes and CPU seconds. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const int offset[4] = {-4, -1, 1, 4};
static int open_to[16][4];
static int8_t change[16][16][4];
static uint8_t board[16];
static uint64_t nodes;
static int bound;

static int distance(int a, int b) { return abs(a / 4 - b / 4) + abs(a % 4 - b % 4); }

static int search(int blank, int depth, int left, int last) {
    for (int d = 0; d < 4; d++) {
        if (!open_to[blank][d] || d == 3 - last) continue;
        int cell = blank + offset[d], tile = board[cell];
        int after = left + change[tile][cell][d];
        nodes++;
        if (depth + 1 + after > bound) continue;
        if (after == 0) return 1;
        board[blank] = tile;
        board[cell] = 0;
        int found = search(cell, depth + 1, after, d);
        board[cell] = tile;
        board[blank] = 0;
        if (found) return 1;
    }
    return 0;
}

int main(int count, char **words) {
    if (count != 17) return 2;
    int blank = 0, left = 0;
    for (int c = 0; c < 16; c++) {
        open_to[c][0] = c / 4 > 0, open_to[c][1] = c % 4 > 0;
        open_to[c][2] = c % 4 < 3, open_to[c][3] = c / 4 < 3;
        board[c] = atoi(words[1 + c]);
        if (!board[c]) blank = c;
        else left += distance(c, board[c]);
        for (int t = 1; t < 16; t++)
            for (int d = 0; d < 4; d++) {
                int to = c - offset[d];
                if (to >= 0 && to < 16) change[t][c][d] = distance(to, t) - distance(c, t);
            }
    }
    clock_t begun = clock();
    for (bound = left; !search(blank, 0, left, -9); bound += 2) {}
    printf("%d %llu %.6f\n", bound, (unsigned long long)nodes,
           (double)(clock() - begun) / CLOCKS_PER_SEC);
    return 0;
}
