/* What the kernels of IDA* with pattern databases share: the memory of a team and the moves of a grid.
   ida_loop.h describes the search. */
#ifndef TAQUIN_IDA_H
#define TAQUIN_IDA_H

#include "common.h"


enum { BATCH = 8, CHILDREN = 4 * BATCH + 4, DEEPEST = 512, LINE = 8 };
/* Numbers that all members see, each in a cache line of its own. */
enum {
    HUNGRY = 0 * LINE, /* open mailboxes: while there are any, slices are short */
    ACTIVE = 1 * LINE, /* members that hold nodes or are about to get some; 0 ends the tree */
    STOP = 2 * LINE,   /* the search is over: a goal, a limit, or the caller's request */
    NODES = 3 * LINE,  /* nodes generated in this tree */
    MOST = 4 * LINE,   /* the limit on them */
    LEFT = 5 * LINE,   /* nodes that no member has reserved for its next slice */
    AHEAD = 6 * LINE,  /* nodes generated that belong to the next bound only */
    LEAST = 7 * LINE,  /* the depth from which the next bound is searched too */
    MAIL = 8 * LINE,   /* the mailbox of the first member */
};
enum { CLOSED, OPEN, TAKING, FULL };
enum {
    ONE_STEP = 4,        /* the most nodes that one expansion makes: with fewer left a search ends */
    SOON = 128,          /* nodes after which a slice ends while a mailbox is open */
    SHORTEST = 64,       /* nodes of a slice close to the limit, so that members share the rest */
    SLICE = 1 << 15,     /* nodes of a slice: a millisecond or two */
    PATIENCE = 1 << 16,  /* checks of an empty mailbox before a member returns to sleep */
    POLITE = 64,         /* checks after which a waiting member yields its core */
};

struct team {
    ARRAY(int64_t, shared);
    MATRIX(uint64_t, stacks); /* for each member, its nodes */
    MATRIX(uint32_t, paths);  /* for each member, its log, and at the end the path to a goal */
    MATRIX(int64_t, controls);
};
struct control {
    int64_t top;       /* nodes on the stack */
    int64_t generated; /* in the last slice */
    int64_t ahead;     /* those of them that are ahead of the bound */
    int64_t found, found_ahead; /* 1 + where in the path the way to a goal begins, or 0 */
    int64_t goal_depth;
    int64_t holds; /* whether the member counts as active */
    int64_t width; /* words of a node */
    int64_t taken; /* nodes reserved */
    int64_t path;  /* how much of the log the nodes need */
    int64_t rest[6];
};

struct moves {
    ARRAY(uint64_t, exits);    /* for each cell, the directions that stay on the grid, as bits */
    ARRAY(uint64_t, by_place); /* for each cell and direction, the move of this layout */
    ARRAY(uint16_t, choices);  /* for each set of directions, its members and their number */
    ARRAY(uint8_t, allowed);   /* for each state of the automaton, the directions it allows */
    ARRAY(uint16_t, follow);   /* for each state and direction, the state after it */
};

#endif
