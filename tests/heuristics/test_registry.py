"""Heuristics by name, combined, and from functions."""

from __future__ import annotations

import pickle

import pytest

from taquin import Board, FromFunction, Goal, Metric, Puzzle
from taquin.errors import UnsuitableError
from taquin.heuristics.base import Heuristic, Zero, evaluator_for
from taquin.heuristics.per_tile import Gaschnig, Manhattan, ManhattanWithAgent, Misplaced
from taquin.heuristics.registry import ALIASES, HEURISTICS, Maximum, Sum
from taquin.model.space import Space
from taquin.search.grammar import heuristic_named

READY_MADE = tuple(dict.fromkeys(HEURISTICS.values()))


def eight(text: str, metric: Metric = Metric.SINGLE) -> Space:
    return Space(Puzzle(Goal.blank_last(3, 3), metric), Board.parse(text))


@pytest.mark.parametrize("name", HEURISTICS)
def test_every_name_finds_its_heuristic(name: str) -> None:
    heuristic = heuristic_named(f"  {name.upper().replace('-', '_')} ")
    assert isinstance(heuristic, Heuristic)
    assert heuristic == HEURISTICS[name]
    assert heuristic.name.partition("(")[0] == ALIASES.get(name, name)
    assert str(heuristic) == heuristic.name
    assert hash(heuristic) == hash(HEURISTICS[name])
    assert (HEURISTICS["h1"], HEURISTICS["h2"]) == (Misplaced(), Manhattan())


def test_combinations_read_back_by_their_names() -> None:
    nested = Maximum(Sum(Misplaced(), Zero()), Gaschnig())
    assert nested.name == "max(sum(misplaced, zero), gaschnig)"
    assert str(nested) == nested.name
    assert heuristic_named(nested.name) == nested
    assert pickle.loads(pickle.dumps(nested)) == nested
    assert len({Maximum(Zero()), Sum(Zero()), Maximum(Zero())}) == 2
    assert heuristic_named("MAX( sum(h1,zero) ,gaschnig )") == nested
    assert repr(nested) == "Maximum(Sum(Misplaced(), Zero()), Gaschnig())"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("manhatan", "no heuristic 'manhatan'. Did you mean manhattan"),
        ("xyzzy", "Expected one of zero, misplaced, manhattan, .* max"),
        ("", "expected a name, found the end"),
        ("max()", r"expected a name, found '\)'"),
        ("max(h1", r"expected '\)', found the end"),
        ("max(h1,", "expected a name, found the end"),
        ("max(h1) h2", "expected nothing more, found 'h2'"),
        ("h1, h2", "expected nothing more, found ','"),
        ("min(h1, h2)", r"only max\(…\), sum\(…\), patterns\(…\) and .* found 'min'"),
        ("max", r"max\(\) needs at least one heuristic"),
        *(
            (text, "expected")
            for text in ("patterns(", "patterns()", "patterns([1 2)", "patterns([1], 2)")
        ),
        ("max(" * 400, "at most 8 deep"),
    ],
)
def test_a_text_that_names_none_is_explained(text: str, message: str) -> None:
    with pytest.raises(UnsuitableError, match=message):
        heuristic_named(text)


@pytest.mark.parametrize(("metric", "manhattan", "misplaced"), [("single", 10, 5), ("multi", 5, 3)])
def test_maximum_and_sum_join_the_estimates_of_their_parts(
    metric: str, manhattan: int, misplaced: int
) -> None:
    space = eight("8 1 3 / 4 0 2 / 7 6 5", Metric(metric))

    def value(heuristic: Heuristic) -> int:
        return evaluator_for(heuristic, space).value(space.start)

    parts = [value(heuristic) for heuristic in READY_MADE]
    assert (value(Maximum(*READY_MADE)), value(Sum(*READY_MADE))) == (max(parts), sum(parts))
    # Slides of several tiles count once where the metric says so.
    assert (value(Manhattan()), value(Misplaced())) == (manhattan, misplaced)
    for combination in (Maximum, Sum):
        with pytest.raises(UnsuitableError, match="needs at least one heuristic"):
            combination()


def test_combinations_claim_only_what_is_proven() -> None:
    space = eight("1 2 3 / 4 5 6 / 7 0 8")

    def claims(heuristic: Heuristic) -> tuple[bool, bool]:
        evaluator = evaluator_for(heuristic, space)
        return evaluator.admissible, evaluator.consistent

    assert claims(Maximum(Manhattan(), Gaschnig())) == (True, True)
    assert claims(Maximum(Manhattan(), ManhattanWithAgent())) == (False, False)
    assert claims(Sum(Manhattan(), Gaschnig())) == (False, False)
    assert claims(Sum(Zero(), Manhattan(), Zero())) == (True, True)
    assert claims(Sum(ManhattanWithAgent())) == (False, False)


def first_cell(board: Board) -> int:
    return int(board.cells[0] != 1)


def test_a_function_is_a_heuristic_that_claims_what_its_author_declares() -> None:
    plain = FromFunction(first_cell)
    assert plain.name == "first_cell"
    assert plain == FromFunction(first_cell)
    declared = FromFunction(first_cell, name="first", admissible=True, consistent=True)
    assert isinstance(declared, Heuristic)
    space = eight("8 1 3 / 4 0 2 / 7 6 5")
    for heuristic, claims in ((plain, False), (declared, True)):
        evaluator = evaluator_for(heuristic, space)
        assert (evaluator.admissible, evaluator.consistent) == (claims, claims)
        assert evaluator.value(space.start) == 1
    for child in space.successors(space.start):
        assert evaluator_for(plain, space).step(1, child, 0, 0, 0) == 1


@pytest.mark.parametrize("answer", [-1, None, "1", [2]])
def test_a_function_that_returns_no_estimate_is_refused(answer: object) -> None:
    space = eight("1 2 3 / 4 5 6 / 7 0 8")
    odd = FromFunction(lambda board: answer, name="odd")  # type: ignore[arg-type, return-value]
    with pytest.raises(UnsuitableError, match=r"'odd' must return a whole number.*1 2 3 / 4 5 6"):
        evaluator_for(odd, space).value(space.start)


def test_a_function_refuses_spaces_with_steps_into_walls() -> None:
    space = Space(Puzzle(Goal.parse("1 # / _ *")), Board.parse("1 # / 2 _"), bumps=True)
    with pytest.raises(UnsuitableError, match="a step into a wall leads to no board"):
        evaluator_for(FromFunction(first_cell), space)
