/* IDA* on one bound's tree: the loop of a thread, a batch of nodes at a time, and the threads that
   share the tree. ida16.c and ida25.c define `node`, `parent`, `child`, `struct tree` and the
   steps below, then include this file.

       pop       copy up to 8 nodes from the top of the stack, log them, list their children
       begin     compute where the table values of all children are, and prefetch them
       judge     read the values, keep the children that have slack left
       fetch_more, judge_more    again, for each further group of tables
       push      make nodes of the children that are left

   Trees are of two variants (`is_variant`: indexed by rank, or narrow), and the loop is compiled for each.

   Slack is half of what the bound leaves: (bound - depth - heuristic) / 2. Parity makes every change
   of depth plus heuristic even, so slack is a whole number; a child with negative slack is pruned.

   Memory is the bottleneck: a table value is rarely in the cache. All reads of a batch are therefore
   prefetched before the first value is used, so that the processor waits for many at once. Inside a
   batch nothing branches on the data of one child: survivors are selected by arithmetic.

   The log leads back from a goal to the start. It has one entry for each node that was popped: bits
   0-4 the cell of the blank, from bit 5 the place of the parent's entry, counted from 1. New entries
   overwrite those after the entry of the topmost node popped, which has the last place of all on the
   stack, so the log is as short as the stack. (Nodes of different depths that are popped together
   may lengthen it; when it is too long, entries without descendants on the stack are removed.) Nodes
   refer only to the log, so two threads can each search half of a stack with a copy of it.

   Ahead of the bound: at depth LEAST or deeper, children that this bound prunes but the next would
   not are expanded too. Such a child gets one extra unit of slack and a flag, which all nodes below
   it inherit; a child that has slack without the unit gives both back when it becomes a node. These
   nodes are a small fraction of the bound's. A solution among them is a shortest one if the bound
   itself has none, and the next bound, the largest, is not searched.

   Threads share the tree by stealing work without locks. A member of the team owns one row of each
   matrix of `team`. A member whose stack is empty opens its mailbox and spins; at the end of its
   slice another moves every second node of its own stack, from the shallowest, into that mailbox.
   Each node is expanded once, by one member, so the count of nodes of a completed bound does not
   depend on the number of members. Giving takes a microsecond, waking a thread would take thousands
   of nodes' time. */
#include "ida.h"

/* A member at work. */
typedef struct {
    int64_t *shared;
    node *stack;
    uint32_t *path;
    struct control *control;
    int64_t longest;  /* entries of the log */
    int64_t capacity; /* nodes of the stack */
} member;

static member member_of(const struct team *team, int64_t me) {
    return (member){
        team->shared,
        (node *)ROW(team->stacks, me),
        ROW(team->paths, me),
        (struct control *)ROW(team->controls, me),
        team->paths_columns - DEEPEST,
        team->stacks_columns * (int64_t)sizeof(word) / (int64_t)sizeof(node),
    };
}

/* --- the loop ---------------------------------------------------------------------------------- */

static void write_solution(const member *m, const node *goal) {
    int64_t step = depth_of(goal), first = m->longest;
    if (is_ahead(goal)) {
        m->control->found_ahead = 1 + first;
        atomic_store(m->shared + LEAST, DEEPEST);
    } else {
        m->control->found = 1 + first;
    }
    m->control->goal_depth = step;
    m->path[first + step] = (uint32_t)blank_of(goal);
    for (word entry = logged_of(goal); entry; entry = m->path[entry - 1] >> 5) {
        step--;
        m->path[first + step] = m->path[entry - 1] & 31;
    }
    REQUIRE(step == 0);
}

/* Remove from the log what none of the nodes descends from. */
static void shorten_log(const member *m, int64_t top) {
    uint32_t place[2 * BATCH * DEEPEST + 1] = {0};
    uint32_t *path = m->path;
    REQUIRE(m->longest <= 2 * BATCH * DEEPEST);
    for (const node *n = m->stack; n < m->stack + top; n++)
        for (word entry = logged_of(n); entry && !place[entry]; entry = path[entry - 1] >> 5)
            place[entry] = 1;
    uint32_t kept = 0;
    for (int64_t number = 0; number < m->longest; number++) {
        if (place[number + 1]) {
            path[kept++] = place[path[number] >> 5] << 5 | (path[number] & 31);
            place[number + 1] = kept;
        }
    }
    for (node *n = m->stack; n < m->stack + top; n++) set_logged(n, place[logged_of(n)]);
}

/* Search a stack until it is empty, a goal is popped, or `budget` nodes are made. A call after a
   goal continues after it; a goal ahead of the bound ends nothing. */
INLINED void search_as(const struct tree *tree, const member *m, int64_t budget, const int variant) {
    parent parents[BATCH];
    child children[CHILDREN], *chosen[CHILDREN];
    const struct moves *moves = &tree->moves;
    struct control *control = m->control;
    node *stack = m->stack;
    uint32_t *path = m->path;
    int64_t top = control->top, nodes = 0, ahead = 0;
    word least = (word)atomic_load(m->shared + LEAST);
    control->found = 0;
    while (top > 0 && nodes < budget && (nodes < SOON || !atomic_load(m->shared + HUNGRY))) {
        int64_t size = smaller(smaller(top, BATCH), larger(1, (budget - nodes) >> 2));
        node *low = stack + top - size, *high = stack + top, *solved = high;
        for (node *n = low; n < high; n++)
            if (is_goal(tree, n)) solved = n;
        if (solved < high) {
            write_solution(m, solved);
            memmove(solved, solved + 1, (size_t)((char *)(high - 1) - (char *)solved));
            top--;
            if (control->found) break;
            least = DEEPEST;
            continue;
        }
        if ((int64_t)logged_of(high - 1) > m->longest - BATCH) shorten_log(m, top);
        word logged = logged_of(high - 1);
        int count = 0;
        for (int p = 0; p < size; p++) {
            const node *n = low + p;
            word blank = blank_of(n), is_early = is_ahead(n), state = state_of(n);
            path[logged++] = (uint32_t)(logged_of(n) << 5 | blank);
            pop(tree, n, parents + p, (depth_of(n) + 1 >= least) & !is_early, variant);
            set_logged((node *)(parents + p), logged);
            word choice = AT(moves->choices, AT(moves->allowed, state) & AT(moves->exits, blank));
            for (int i = 0; i < 4; i++) {
                child *c = children + count + i;
                c->parent = (uint8_t)p;
                c->blank = (uint8_t)blank;
                c->direction = choice >> 2 * i & 3;
            }
            count += (int)(choice >> 8);
            ahead += (int64_t)((choice >> 8) * is_early);
        }
        nodes += count;
        for (child *c = children; c < children + count; c++)
            begin(tree, c, parents + c->parent, variant);
        int left = 0;
        for (child *c = children; c < children + count; c++) {
            bool has_slack = judge(tree, c, parents + c->parent, variant);
            chosen[left] = c;
            left += has_slack;
        }
        for (int round = 1; round < rounds_of(tree, variant); round++) {
            int last = left;
            for (int i = 0; i < last; i++)
                fetch_more(tree, chosen[i], parents + chosen[i]->parent, round, variant);
            left = 0;
            for (int i = 0; i < last; i++) {
                child *c = chosen[i];
                bool has_slack = judge_more(tree, c, round);
                chosen[left] = c;
                left += has_slack;
            }
        }
        REQUIRE(low + left - stack <= m->capacity);
        for (int i = 0; i < left; i++)
            push(tree, chosen[i], parents + chosen[i]->parent, low + i, variant);
        top += left - size;
    }
    control->top = top;
    control->generated = nodes;
    control->ahead = ahead;
    control->path = top ? (int64_t)logged_of(stack + top - 1) : 0;
}

/* --- the team ---------------------------------------------------------------------------------- */

/* Reserve nodes and return the budget of a slice; 0 while others hold the rest of the limit. */
static int64_t take(const member *m) {
    struct control *control = m->control;
    if (!control->taken) {
        int64_t wanted = larger(SHORTEST, smaller(SLICE, atomic_load(m->shared + LEFT) >> 2));
        int64_t left = atomic_add(m->shared + LEFT, -wanted);
        int64_t taken = larger(0, smaller(wanted, left));
        if (taken < ONE_STEP) taken = 0;
        if (taken < wanted) atomic_add(m->shared + LEFT, wanted - taken);
        control->taken = taken;
    }
    /* The last expansion of a slice may make more than one node. */
    return larger(0, control->taken - ONE_STEP + 1);
}

/* Return the budget of the next slice; 0 if there is nothing to do at present. */
static int64_t next_slice(const member *m, int64_t me) {
    int64_t *shared = m->shared, *mailbox = shared + MAIL + LINE * me;
    struct control *control = m->control;
    if (atomic_load(shared + STOP)) return 0;
    if (control->holds && !control->top) {
        control->holds = 0;
        if (atomic_add(shared + ACTIVE, -1) == 1 && !me) return 0;
    }
    if (!control->holds) {
        /* The stack is the giver's until the mailbox is full: not even its size may be read. */
        if (atomic_swap(mailbox, CLOSED, OPEN)) atomic_add(shared + HUNGRY, 1);
        for (int patience = PATIENCE; atomic_load(mailbox) != FULL;) {
            if (--patience % POLITE == 0) give_way();
            bool is_over = !me && !atomic_load(shared + ACTIVE);
            if (is_over || !patience || atomic_load(shared + STOP)) return 0;
        }
        atomic_store(mailbox, CLOSED);
        control->holds = 1;
    } else if (atomic_swap(mailbox, OPEN, CLOSED)) {
        /* The caller's member begins a tree; its mailbox was left open at the end of the last. */
        atomic_add(shared + HUNGRY, -1);
    }
    return take(m);
}

/* Move every second node, from the shallowest, to another member's stack. */
static void give(const struct team *team, const member *m, int64_t other) {
    struct control *control = m->control;
    member target = member_of(team, other);
    for (int64_t n = 0; n < control->top; n++) (n & 1 ? m : &target)->stack[n >> 1] = m->stack[n];
    memcpy(target.path, m->path, (size_t)control->path * sizeof *m->path);
    target.control->top = (control->top + 1) >> 1;
    control->top >>= 1;
}

/* Count what a slice generated, stop all at a goal or a limit, and give to open mailboxes. */
static void end_slice(const struct team *team, const member *m) {
    int64_t *shared = m->shared;
    struct control *control = m->control;
    int64_t nodes = atomic_add(shared + NODES, control->generated) + control->generated;
    atomic_add(shared + AHEAD, control->ahead);
    atomic_add(shared + LEFT, control->taken - control->generated);
    control->taken = 0;
    if (control->found || nodes + ONE_STEP > atomic_load(shared + MOST)) {
        atomic_store(shared + STOP, 1);
        /* It ends the slices of the others, which poll nothing else. */
        atomic_add(shared + HUNGRY, 1);
        return;
    }
    for (int64_t other = 0; other < team->controls_rows; other++) {
        if (control->top <= 1 || atomic_load(shared + HUNGRY) <= 0) return;
        if (atomic_swap(shared + MAIL + LINE * other, OPEN, TAKING)) {
            atomic_add(shared + HUNGRY, -1);
            atomic_add(shared + ACTIVE, 1);
            give(team, m, other);
            atomic_store(shared + MAIL + LINE * other, FULL);
        }
    }
}

static void search_plain(const struct tree *tree, const member *m, int64_t budget) {
    search_as(tree, m, budget, 0);
}

static void search_variant(const struct tree *tree, const member *m, int64_t budget) {
    search_as(tree, m, budget, 1);
}

/* Search a tree as member `me` of a team, for about `budget` nodes. */
static void work(const struct team *team, const struct tree *tree, int64_t me, int64_t budget) {
    member m = member_of(team, me);
    int64_t size;
    while ((size = next_slice(&m, me)) > 0 && budget > 0) {
        (is_variant(tree) ? search_variant : search_plain)(tree, &m, smaller(size, budget));
        budget -= m.control->generated;
        end_slice(team, &m);
    }
}

struct work {
    struct team team;
    NUMBER(me);
    NUMBER(budget);
    struct tree tree;
};
