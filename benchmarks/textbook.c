/* The plain yardsticks in C for searches by name on 4 x 4, with the blank of the goal last.

       ida FILE    recursive IDA* with the parent pruned, over the tables of FILE
       astar N     A* with the Manhattan distance, until N boards are expanded or it is solved

   Tiles are read from standard input, 16 per line; of each line it prints the generated (IDA*) or
   expanded (A*) nodes and CPU seconds. FILE has for IDA* what taquin reads: the number of partitions
   and of slots; for each tile and partition its slot, and for each cell its term; for each slot the
   bytes of its table, and the table, two values a byte. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CELLS = 16, PARTITIONS = 8, SLOTS = 32 };
static const int offset[4] = {-4, -1, 1, 4};
static int open_to[CELLS][4];
static int distance[CELLS][CELLS]; /* of a tile from its home, by cell */
static int board[CELLS];

static double seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

/* --- IDA* --- */
static int partitions, slots, bound, next_bound;
static int slot_of[CELLS][PARTITIONS];
static int64_t term[CELLS][PARTITIONS][CELLS];
static uint8_t *table[SLOTS + 1];
static int64_t place[SLOTS + 1];
static int found[SLOTS + 1];
static uint64_t nodes;

static int value_at(int slot, int64_t at) { return table[slot][at >> 1] >> (at & 1) * 4 & 15; }

static int search(int blank, int depth, int walked, const int *sums, int last) {
    for (int d = 0; d < 4; d++) {
        if (!open_to[blank][d] || d == 3 - last) continue;
        int cell = blank + offset[d], tile = board[cell], most = 0;
        int after = walked + distance[tile][blank] - distance[tile][cell];
        int fresh[PARTITIONS], totals[PARTITIONS];
        nodes++;
        for (int p = 0; p < partitions; p++) {
            int slot = slot_of[tile][p];
            fresh[p] = value_at(slot, place[slot] + term[tile][p][blank] - term[tile][p][cell]);
            totals[p] = sums[p] + fresh[p] - found[slot];
            if (totals[p] > most) most = totals[p];
        }
        int f = depth + 1 + after + 2 * most;
        if (f > bound) {
            if (f < next_bound) next_bound = f;
            continue;
        }
        if (f == depth + 1) return 1;
        int before[PARTITIONS];
        for (int p = 0; p < partitions; p++) {
            int slot = slot_of[tile][p];
            before[p] = found[slot];
            found[slot] = fresh[p];
            place[slot] += term[tile][p][blank] - term[tile][p][cell];
        }
        board[blank] = tile;
        board[cell] = 0;
        int done = search(cell, depth + 1, after, totals, d);
        board[cell] = tile;
        board[blank] = 0;
        for (int p = 0; p < partitions; p++) {
            int slot = slot_of[tile][p];
            found[slot] = before[p];
            place[slot] -= term[tile][p][blank] - term[tile][p][cell];
        }
        if (done) return 1;
    }
    return 0;
}

static void read_tables(const char *name) {
    FILE *file = fopen(name, "rb");
    int64_t size;
    int32_t head[2];
    if (!file || fread(head, 4, 2, file) != 2) exit(2);
    partitions = head[0], slots = head[1];
    for (int t = 0; t < CELLS; t++)
        for (int p = 0; p < partitions; p++) {
            int32_t slot;
            if (fread(&slot, 4, 1, file) != 1 || fread(term[t][p], 8, CELLS, file) != CELLS) exit(2);
            slot_of[t][p] = slot;
        }
    for (int s = 0; s < slots; s++) {
        if (fread(&size, 8, 1, file) != 1) exit(2);
        table[s] = malloc(size);
        if (fread(table[s], 1, size, file) != (size_t)size) exit(2);
    }
    table[slots] = calloc(8, 1);
    fclose(file);
}

static void deepen(void) {
    int blank = 0, walked = 0, sums[PARTITIONS] = {0}, most = 0;
    memset(place, 0, sizeof place);
    for (int c = 0; c < CELLS; c++) {
        if (!board[c]) blank = c;
        if (board[c]) walked += distance[board[c]][c];
        for (int p = 0; p < partitions; p++) place[slot_of[board[c]][p]] += term[board[c]][p][c];
    }
    for (int s = 0; s <= slots; s++) found[s] = value_at(s, place[s]);
    for (int p = 0; p < partitions; p++) {
        uint32_t seen = 0;
        for (int t = 1; t < CELLS; t++) {
            int slot = slot_of[t][p];
            if (slot < slots && !(seen >> slot & 1)) sums[p] += found[slot], seen |= 1u << slot;
        }
        if (sums[p] > most) most = sums[p];
    }
    nodes = 0;
    bound = walked + 2 * most;
    while (next_bound = 1 << 30, !search(blank, 0, walked, sums, -9)) bound = next_bound;
}

/* --- A*: open addressing of nodes, buckets by f and h, the lowest h first, then the oldest --- */
typedef struct {
    uint64_t state;
    uint32_t next;
    uint16_t g;
    uint8_t h, closed;
} Node;
static Node *node;
static uint32_t *hash, used, head[256][128], tail[256][128];
static uint64_t mask;

static uint32_t *slot_for(uint64_t state) {
    uint64_t at = state * 0x9E3779B97F4A7C15u;
    for (at = (at ^ at >> 32) & mask; hash[at] && node[hash[at]].state != state; at = (at + 1) & mask) {}
    return &hash[at];
}

static void push(uint32_t n) {
    int f = node[n].g + node[n].h, h = node[n].h;
    node[n].next = 0;
    if (head[f][h]) node[tail[f][h]].next = n;
    else head[f][h] = n;
    tail[f][h] = n;
}

static uint64_t astar(uint64_t most) {
    uint64_t state = 0, goal = 0, expanded = 0;
    int h = 0, low = 0;
    memset(head, 0, sizeof head);
    for (int c = 0; c < CELLS; c++) {
        state |= (uint64_t)board[c] << 4 * c;
        goal |= (uint64_t)((c + 1) % CELLS) << 4 * c;
        if (board[c]) h += distance[board[c]][c];
    }
    mask = 1;
    while (mask < 5 * most) mask *= 2;
    mask--;
    hash = calloc(mask + 1, 4);
    node = malloc((3 * most + 16) * sizeof(Node));
    used = 1;
    node[1] = (Node){state, 0, 0, h, 0};
    *slot_for(state) = 1;
    push(1);
    for (int f = h; f < 256 && expanded < most;) {
        while (low < 128 && !head[f][low]) low++;
        if (low == 128) {
            low = 0, f++;
            continue;
        }
        uint32_t n = head[f][low];
        head[f][low] = node[n].next;
        if (node[n].closed) continue;
        if (node[n].state == goal) break;
        node[n].closed = 1;
        expanded++;
        int blank = 0, g = node[n].g + 1;
        state = node[n].state;
        while (state >> 4 * blank & 15) blank++;
        for (int d = 0; d < 4; d++) {
            if (!open_to[blank][d]) continue;
            int cell = blank + offset[d], tile = state >> 4 * cell & 15;
            uint64_t child = state ^ (uint64_t)tile << 4 * cell ^ (uint64_t)tile << 4 * blank;
            uint32_t *slot = slot_for(child);
            if (*slot && node[*slot].g <= g) continue;
            if (*slot) node[*slot].closed = 1; /* a cheaper path: the old node is stale */
            *slot = ++used;
            int after = node[n].h + distance[tile][blank] - distance[tile][cell];
            node[used] = (Node){child, 0, g, after, 0};
            push(used);
            if (after < low && g + after == f) low = after;
        }
    }
    free(hash);
    free(node);
    return expanded;
}

int main(int count, char **words) {
    if (count != 3) return 2;
    for (int c = 0; c < CELLS; c++) {
        open_to[c][0] = c / 4 > 0, open_to[c][1] = c % 4 > 0;
        open_to[c][2] = c % 4 < 3, open_to[c][3] = c / 4 < 3;
        for (int t = 1; t < CELLS; t++)
            distance[t][c] = abs((t - 1) / 4 - c / 4) + abs((t - 1) % 4 - c % 4);
    }
    int is_ida = !strcmp(words[1], "ida");
    if (is_ida) read_tables(words[2]);
    for (;;) {
        for (int c = 0; c < CELLS; c++)
            if (scanf("%d", &board[c]) != 1) return 0;
        double begun = seconds();
        uint64_t done = 0;
        if (is_ida) deepen(), done = nodes;
        else done = astar(strtoull(words[2], 0, 10));
        printf("%llu %.6f\n", (unsigned long long)done, seconds() - begun);
        fflush(stdout);
    }
}
