"""The automaton prunes duplicate operators only: every board keeps a shortest solution."""

import random
from collections.abc import Iterable
from hashlib import sha256
from typing import Any

import pytest
from tools.duplicate_operators import forbidden_words

from taquin.engine.cpu.automaton import (
    LONGEST,
    USUAL,
    Automaton,
    AutomatonRecipe,
    fewest_states,
    known_words,
    machine,
    no_return,
)
from tests import truth


def accepts(automaton: Automaton, word: tuple[int, ...]) -> bool:
    """Tell whether `word`, read from the start state 0, contains no forbidden word."""
    state = 0
    for direction in word:
        if not automaton.allowed[state] >> direction & 1:
            return False
        state = automaton.follow[state][direction]
    return True


@pytest.mark.parametrize(
    ("shape", "length", "blanks"),
    [
        ((2, 2), 12, range(4)),
        ((2, 3), 12, range(6)),
        ((3, 2), 10, range(6)),
        pytest.param((3, 3), 8, [1], marks=pytest.mark.slow),
    ],
)
def test_each_board_is_reached_by_a_shortest_word_that_is_accepted(
    shape: tuple[int, int], length: int, blanks: Iterable[int]
) -> None:
    rows, columns = shape
    automaton = machine(forbidden_words(rows, columns, length))
    # The automaton must not care where the walk begins.
    for blank in blanks:
        start = (*range(1, blank + 1), 0, *range(blank + 1, rows * columns))
        known = truth.distances([start], rows, columns)
        front, reached, level = {(start, 0)}, {start}, 0
        while front:
            level += 1
            after = set()
            for board, state in front:
                hole = board.index(0)
                for direction, offset in enumerate((-columns, -1, 1, columns)):
                    near = hole + offset
                    is_allowed = automaton.allowed[state] >> direction & 1
                    if is_allowed and near in truth.beside(hole, rows, columns):
                        other = list(board)
                        other[hole], other[near] = other[near], 0
                        if known[tuple(other)] == level:
                            after.add((tuple(other), automaton.follow[state][direction]))
            front = after
            reached |= {board for board, _ in after}
        assert len(reached) == len(known)


def test_words_are_returns_and_half_turns_one_way_round_and_none_contains_another() -> None:
    assert forbidden_words(5, 5, 2) == (b"\0\3", b"\1\2", b"\2\1", b"\3\0")
    words = forbidden_words(4, 4, 9)
    assert [len(word) for word in words].count(6) == 4
    for word in words:
        parts = {word[i:j] for i in range(len(word)) for j in range(i + 1, len(word) + 1)}
        assert parts & set(words) == {word}
    # None that is shipped is longer than said.
    assert max(map(len, known_words(5, 5, LONGEST))) == LONGEST
    assert max(map(len, known_words(5, 5))) == USUAL


def test_machine_refuses_exactly_the_words() -> None:
    automaton = no_return()
    assert accepts(automaton, (0, 1, 3, 2))
    assert not accepts(automaton, (0, 1, 2))


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("shape", "length"),
    [
        ((5, 5), 8),
        ((3, 4), 9),
        ((2, 9), 11),
        pytest.param((5, 5), LONGEST, marks=pytest.mark.slow),
        pytest.param((4, 4), USUAL, marks=pytest.mark.slow),
    ],
)
def test_the_words_that_are_shipped_are_those_of_the_generator(
    shape: tuple[int, int], length: int
) -> None:
    shipped = tuple(word for word in known_words(*shape, LONGEST) if len(word) <= length)
    assert shipped == forbidden_words(*shape, length)


def count_of_states(automaton: Automaton) -> int:
    """Return how many states differ (Moore 1956): in what they allow, or in where they lead."""
    kinds: list[Any] = list(automaton.allowed)
    count = 0
    while count < len(set(kinds)):
        count = len(set(kinds))
        rows = [
            (kinds[state], *map(kinds.__getitem__, row))
            for state, row in enumerate(automaton.follow)
        ]
        numbers = {row: number for number, row in enumerate(set(rows))}
        kinds = [numbers[row] for row in rows]
    return count


@pytest.mark.parametrize(
    ("rows", "columns", "digest"),
    [(2, 4, "ea3ca2ac0972a6b4"), (3, 5, "8d6f50aab3d7c0fe"), (4, 4, "43697284335e2b2b")],
)
def test_the_bytes_of_an_automaton_stay_those_on_the_disks_of_users(
    rows: int, columns: int, digest: str
) -> None:
    table = AutomatonRecipe(rows, columns).build(None, lambda done, total: None)
    assert sha256(table.tobytes()).hexdigest()[:16] == digest


def test_fewest_states_allow_the_same_walks() -> None:
    whole = machine(known_words(4, 4))
    small = fewest_states(whole)
    assert len(small.allowed) < len(whole.allowed)
    assert len(small.allowed) == count_of_states(whole)
    rng = random.Random(14)
    for _ in range(300):
        state = twin = 0
        for _ in range(60):
            assert whole.allowed[state] == small.allowed[twin]
            direction = rng.choice([d for d in range(4) if whole.allowed[state] >> d & 1])
            state, twin = whole.follow[state][direction], small.follow[twin][direction]
