"""The search loop of one bound's tree, for any layout of nodes: depth first, a batch at a time.

    pop       copy up to 8 nodes from the top of the stack, log them, list their children
    fetch     compute where the table values of all children are, and prefetch them
    judge     read the values, keep the children that have slack left
    fetch, judge again for each further group of tables
    push      make nodes of the children that are left

*Slack* is half of what the bound leaves: (bound - depth - heuristic) / 2. Parity makes every change
of depth plus heuristic even, so slack is a whole number, and a child with negative slack is pruned.

Memory is the bottleneck: a table value is rarely in the cache. All reads of a batch are therefore
prefetched before the first value is used, so that the processor waits for many at once. Inside a
batch nothing branches on the data of one child: survivors are selected by arithmetic.

A file that describes a layout, `packed.py` or `wide.py`, makes its loop by `search_loop`, from a
`NodeLayout` and the `NodeSteps`. Both are constants to the compiler, so each loop is compiled as if
it were written out. The argument `extra` of a step selects a variant of the loop at compile time:
it is None or not.

Ahead of the bound (`team.py`), children get one extra unit of slack and a flag. A child that has
slack without it gives both back when it becomes a node.

The log leads back from a goal to the start. It has one entry for each node that was popped
(`layout.py` draws it). New entries overwrite those after the entry of the topmost node popped,
which has the last place of all on the stack: so the log is as short as the stack. (Nodes of
different depths that are popped together may lengthen it. When it is too long, entries without
descendants on the stack are removed.) Nodes refer only to the log, so two threads can each search
half of a stack with a copy of it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from taquin.engine.cpu.layout import (
    BATCH,
    CHILDREN,
    CHOICE_SIZE,
    DEEPEST,
    DEPTHS,
    DIRECTION,
    DIRECTION_BITS,
    FOUR,
    LOG_BLANK,
    LOG_PARENT,
    ONE,
    STATES,
    ZERO,
    Word,
    choice_at,
    word_range,
)
from taquin.engine.cpu.team import (
    FOUND,
    FOUND_AHEAD,
    GENERATED,
    GENERATED_AHEAD,
    GOAL_DEPTH,
    LEAST,
    PATH,
    TOP,
    Member,
    goes_on,
)
from taquin.system.arrays import uint64
from taquin.system.native import atomic_load, atomic_store, inlined, part, stack_array, widened

ORIGIN = ZERO
"""The first word of a child in scratch memory: its parent's address and the place of its move."""
PLACE, PARENT = Word(127), Word(7)
"""Of an origin: the mask of the place, and the first bit of the address."""


class NodeLayout(NamedTuple):
    """The offsets of the fields of a node that every loop needs."""

    width: Word
    """Words in a node."""
    facts: Word
    """The word that has blank, depth and state."""
    blank: Word
    """First bit of the blank's cell."""
    cells: Word
    """The mask of a cell."""
    depth: Word
    """First bit of the depth."""
    state: Word
    """First bit of the automaton's state."""
    logged: Word
    """The word whose upper bits are the parent's place in the log, counted from 1."""
    log: Word
    """First bit of that place."""
    flags: Word
    """The word that says whether the node is ahead of the bound."""
    ahead: Word
    """The bit of that flag in the word."""
    child: Word
    """Words of a child in scratch memory."""
    parent: Word
    """Words of a parent in scratch memory."""


class NodeSteps(NamedTuple):
    """The steps of the loop for one layout; `tree` is the record of a goal, `stack` the memory."""

    is_goal: Callable[..., bool]
    """`(stack, node, tree)`: whether a node is a goal."""
    pop: Callable[..., None]
    """`(stack, node, parent, gets_extra, tree, extra)`: copy a node to scratch memory, with an
    extra unit of slack where `gets_extra` is 1."""
    begin: Callable[..., None]
    """`(stack, child, tree, extra)`: find a child's move, and prefetch its first values."""
    judge: Callable[..., Word]
    """`(stack, child, tree)`: write slack and values after these; 1 if slack is left, else 0."""
    rounds: Callable[..., Word] | None
    """`(tree, extra)`: the number of lookup rounds; None means exactly one."""
    fetch_more: Callable[..., None]
    """`(stack, child, number, tree, extra)`: prefetch the values of a later round."""
    judge_more: Callable[..., Word]
    """`(stack, child, number, tree)`: judge a child after a later round."""
    push: Callable[..., None]
    """`(stack, child, node, tree, extra)`: make a node of a child."""


class _Scratch(NamedTuple):
    """The addresses of a loop's scratch memory, at the end of its stack."""

    children: Word
    parents: Word
    chosen: Word


def search_loop(layout: NodeLayout, steps: NodeSteps) -> Callable[[Member, int, Any, Any], None]:
    """Return the `search` of `team.py` for trees whose nodes have a layout."""
    is_goal, pop_node, begin, judge, rounds, fetch_more, judge_more, push = steps
    width, child_width = layout.width, layout.child
    has_rounds = rounds is not None

    @inlined
    def pop(
        member: Member, low: Word, high: Word, least: Word, scratch: _Scratch, tree: Any, extra: Any
    ) -> tuple[Word, Word]:
        """Copy nodes to scratch memory, log them and list their children.

        Return the end of the children, and how many have a parent that is ahead of the bound.
        """
        stack, path = member.stack, member.path
        logged = stack[high - width + layout.logged] >> layout.log
        parent, end, ahead = scratch.parents, scratch.children, ZERO
        for node in word_range(low, high, width):
            facts = stack[node + layout.facts]
            blank = facts >> layout.blank & layout.cells
            path[logged] = (stack[node + layout.logged] >> layout.log) << LOG_PARENT | blank
            logged += ONE
            is_ahead = stack[node + layout.flags] >> layout.ahead & ONE
            gets_extra = Word((facts >> layout.depth & DEPTHS) + ONE >= least) & ~is_ahead
            pop_node(stack, node, parent, gets_extra, tree, extra)
            others = stack[parent + layout.logged] & ((ONE << layout.log) - ONE)
            stack[parent + layout.logged] = logged << layout.log | others
            choice = choice_at(tree.moves, facts >> layout.state & STATES, blank)
            origin = parent << PARENT | blank << DIRECTION_BITS
            for number in word_range(FOUR):
                direction = choice >> (number << ONE) & DIRECTION
                stack[end + number * child_width + ORIGIN] = origin | direction
            end += (choice >> CHOICE_SIZE) * child_width
            ahead += (choice >> CHOICE_SIZE) * is_ahead
            parent += layout.parent
        return end, ahead

    @part
    def search(member: Member, budget: int, tree: Any, extra: Any) -> None:
        """Search a stack; see `search` in `team.py`."""
        stack, control = member.stack, member.control
        chosen_words = Word(len(stack) - 4 * BATCH)
        parents = chosen_words - layout.parent * Word(BATCH)
        children = parents - child_width * Word(CHILDREN)
        scratch = _Scratch(children, parents, chosen_words)
        longest = Word(len(member.path) - DEEPEST - BATCH)
        top = control[TOP]
        nodes = made_ahead = 0
        least = Word(atomic_load(member.shared, LEAST))
        control[FOUND] = 0
        while top > 0 and goes_on(member, nodes, budget):
            first = max(0, top - BATCH, top - max(1, (budget - nodes) >> 2))
            low, high = Word(first) * width, Word(top) * width
            solved = high
            for node in word_range(low, high, width):
                if is_goal(stack, node, tree):
                    solved = node
            if solved < high:
                _write_solution(member, solved, layout)
                for word in word_range(solved, high - width):
                    stack[word] = stack[word + width]
                top -= 1
                if control[FOUND]:
                    break
                least = Word(DEEPEST)
                continue
            if stack[high - width + layout.logged] >> layout.log > longest:
                _shorten_log(member, top, layout)

            end, ahead = pop(member, low, high, least, scratch, tree, extra)
            nodes += widened((end - children) // child_width)
            made_ahead += widened(ahead)
            for child in word_range(children, end, child_width):
                begin(stack, child, tree, extra)
            chosen = scratch.chosen
            for child in word_range(children, end, child_width):
                has_slack = judge(stack, child, tree)
                stack[chosen] = child
                chosen += has_slack
            if has_rounds:
                for number in word_range(ONE, rounds(tree, extra)):  # type: ignore[misc]
                    for place in word_range(scratch.chosen, chosen):
                        fetch_more(stack, stack[place], number, tree, extra)
                    last = chosen
                    chosen = scratch.chosen
                    for place in word_range(scratch.chosen, last):
                        child = stack[place]
                        has_slack = judge_more(stack, child, number, tree)
                        stack[chosen] = child
                        chosen += has_slack
            node = low
            for place in word_range(scratch.chosen, chosen):
                push(stack, stack[place], node, tree, extra)
                node += width
            top = first + widened(chosen - scratch.chosen)
        control[TOP] = top
        control[GENERATED], control[GENERATED_AHEAD] = nodes, made_ahead
        last_logged = stack[Word(top - 1) * width + layout.logged] >> layout.log if top else ZERO
        control[PATH] = widened(last_logged)

    return search


@part
def _write_solution(member: Member, goal: Word, layout: NodeLayout) -> None:
    """Write the blank's path to a goal after the log; one ahead of the bound ends that search."""
    stack, path = member.stack, member.path
    facts, entry = stack[goal + layout.facts], stack[goal + layout.logged] >> layout.log
    step = widened(facts >> layout.depth & DEPTHS)
    first = len(path) - DEEPEST
    if stack[goal + layout.flags] >> layout.ahead & ONE:
        member.control[FOUND_AHEAD] = 1 + first
        atomic_store(member.shared, LEAST, DEEPEST)
    else:
        member.control[FOUND] = 1 + first
    member.control[GOAL_DEPTH] = step
    path[first + step] = facts >> layout.blank & layout.cells
    while entry > ZERO:
        step -= 1
        path[first + step] = path[entry - ONE] & LOG_BLANK
        entry = Word(path[entry - ONE]) >> LOG_PARENT


@part
def _shorten_log(member: Member, top: int, layout: NodeLayout) -> None:
    """Remove log entries that are no ancestors of the `top` nodes on the stack."""
    stack, path = member.stack, member.path
    length = len(path) - DEEPEST
    place = stack_array(length + 1, uint64)
    place[:] = ZERO
    for node in range(top):
        entry = stack[Word(node) * layout.width + layout.logged] >> layout.log
        while entry > ZERO and place[entry] == ZERO:
            place[entry] = ONE
            entry = Word(path[entry - ONE]) >> LOG_PARENT
    kept = 0
    for number in range(length):
        if place[number + 1] > ZERO:
            old = Word(path[number])
            path[kept] = place[old >> LOG_PARENT] << LOG_PARENT | old & LOG_BLANK
            kept += 1
            place[number + 1] = kept
    for node in range(top):
        base = Word(node) * layout.width + layout.logged
        word = stack[base]
        others = word & ((ONE << layout.log) - ONE)
        stack[base] = place[word >> layout.log] << layout.log | others
