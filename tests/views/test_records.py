"""Traces as JSON lines: written, read back, and refused when damaged."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from math import inf

import pytest

from taquin.errors import NotationError
from taquin.model.board import Board
from taquin.model.puzzle import Goal, Puzzle
from taquin.notation import goal_json, move_json
from taquin.search.algorithms import ALGORITHMS, AStar, BreadthFirst, IDAStar, RecursiveBestFirst
from taquin.search.driver import trace
from taquin.search.events import Backtracked, Event, Expanded, Finished, Improved
from taquin.search.result import Limit, Limits
from taquin.search.run import Algorithm
from taquin.views import search_tree, to_dot, to_svg
from taquin.views.records import from_json_lines, to_json_lines
from taquin.views.traces import VIEWS, s3_times
from tests.views.worlds import (
    BUMPING,
    EIGHT,
    FOUR_MOVES,
    NAMED,
    NAMED_START,
    WALLED,
    WALLED_START,
    WORLDS,
)

FEW = Limits(nodes=60)


def written(puzzle: Puzzle, start: Board, algorithm: Algorithm) -> tuple[list[Event], list[str]]:
    events = list(trace(puzzle, start, algorithm, FEW))
    return events, list(to_json_lines(events, puzzle=puzzle, algorithm=algorithm))


def test_every_trace_is_strict_json_that_reads_back_as_it_was_written() -> None:
    def refuse(name: str) -> None:
        raise AssertionError(name)

    for world in WORLDS.values():
        for algorithm in ALGORITHMS.values():
            events, lines = written(*world, algorithm())
            assert list(from_json_lines(f"{line}\n" for line in lines)) == events
            for line in lines:
                assert "\n" not in line
                assert isinstance(json.loads(line, parse_constant=refuse), dict)


def test_steps_into_walls_endless_priorities_and_solutions_on_the_way_read_back() -> None:
    events, lines = written(WALLED, WALLED_START, BreadthFirst(BUMPING))
    assert any('"tile":"#"' in line for line in lines)
    assert list(from_json_lines(lines)) == events
    puzzle = Puzzle(Goal.parse("1 0 / 2 3"))
    events = list(trace(puzzle, Board.parse("1 0 / 2 3"), RecursiveBestFirst()))
    node = next(event.node for event in events if hasattr(event, "node"))
    lost = Backtracked(type(node)(0, None, node.board, None, 0, 0, inf))
    assert list(from_json_lines(to_json_lines([lost]))) == [lost]
    *events, last = trace(EIGHT, FOUR_MOVES, BreadthFirst())
    assert isinstance(last, Finished)
    (improved,) = (event for event in events if isinstance(event, Improved))
    told = json.loads(list(to_json_lines([improved]))[1])
    assert (told["event"], told["cost"], told["node"]["depth"]) == ("improved", 4, 4)
    result = replace(last.result, limit=Limit.NODES, bounds=((4, 7), (6, 90)))
    written_events: list[Event] = [improved, Finished(result)]
    assert list(from_json_lines(to_json_lines(written_events))) == written_events


def test_the_first_line_tells_the_puzzle_the_last_the_result_and_a_board_is_its_rows() -> None:
    header = json.loads(written(NAMED, NAMED_START, AStar())[1][0])
    assert header == {
        "format": "taquin-trace",
        "version": 1,
        "puzzle": {"goal": goal_json(NAMED.goal), "metric": "single"},
        "algorithm": "astar(manhattan)",
    }
    assert (header["puzzle"]["goal"]["rows"], header["puzzle"]["goal"]["columns"]) == (4, 4)
    events, lines = written(EIGHT, FOUR_MOVES, AStar())
    assert isinstance(events[-1], Finished)
    result = events[-1].result
    assert result.moves is not None
    told = json.loads(lines[-1])["result"]
    assert told["outcome"] == "solved"
    assert (told["cost"], told["lower_bound"], told["optimal"]) == (4, 4, True)
    assert told["moves"] == [move_json(move) for move in result.moves]
    assert told["seconds"] == told["stats"]["seconds"] == result.stats.seconds
    assert told["engine"] == "glass-box"
    assert told["stats"]["expanded"] == 4
    assert json.loads(lines[1])["node"]["board"] == [[0, 1, 3], [4, 2, 5], [7, 8, 6]]


def test_events_are_read_as_their_lines_arrive_without_blank_ones_and_as_far_as_they_go() -> None:
    events, lines = written(EIGHT, FOUR_MOVES, AStar())
    assert list(from_json_lines(lines[:8])) == events[:7]
    arriving = from_json_lines(iter([*lines[:3], "junk"]))
    assert next(arriving)
    assert isinstance(next(arriving), Expanded)
    with pytest.raises(NotationError, match="line 4"):
        next(arriving)
    assert list(from_json_lines(["", *lines[:2], " \n", *lines[2:], ""])) == events
    with pytest.raises(NotationError, match="line 4: "):
        list(from_json_lines(["", lines[0], "", "[]"]))


DAMAGES = {
    "not JSON": ("{", "expected a JSON object"),
    "not an object": ("[1]", "expected an object, found a list"),
    "no event": ('{"node": 1}', "expected the key event"),
    "unknown event": ('{"event": "lost"}', "expected an event .*, found 'lost'"),
    "event of another type": ('{"event": 3}', "event: expected a text"),
    "no node": ('{"event": "started"}', "expected the key node"),
    "node of another type": ('{"event": "started", "node": null}', "node: expected an object"),
    "bound of another type": (
        '{"event": "bound-raised", "bound": "x", "round": 1}',
        "bound: expected a whole number",
    ),
    "true for a number": (
        '{"event": "bound-raised", "bound": 1, "round": true}',
        "round: expected a whole number",
    ),
    "no result": ('{"event": "finished", "result": {}}', "result: expected the key outcome"),
    "nested too deeply": ("[" * 100_000, "too long"),
    "a number too long": ("9" * 10_000, "too long"),
    "two headers": ('{"format": "taquin-trace", "version": 1}', "expected the key event"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_line_is_named(damage: str) -> None:
    line, message = DAMAGES[damage]
    _, lines = written(EIGHT, FOUR_MOVES, AStar())
    with pytest.raises(NotationError, match=message) as caught:
        list(from_json_lines([*lines[:2], line]))
    assert caught.value.line == 3
    assert len(str(caught.value)) < 300


NODE_DAMAGES = {
    "number": ("two", "number: expected a whole number"),
    "parent": ("two", "parent: expected a whole number"),
    "board": ([[1, 2], [3]], "board: row 2"),
    "move": ({"tile": 1}, "move: expected a move"),
    "f": ("high", "f: expected a whole number"),
    "side": (3, "side: expected a text"),
}


@pytest.mark.parametrize("key", NODE_DAMAGES)
def test_a_damaged_node_is_named_by_its_key(key: str) -> None:
    value, message = NODE_DAMAGES[key]
    _, lines = written(EIGHT, FOUR_MOVES, AStar())
    record = json.loads(lines[3])
    record["node"][key] = value
    with pytest.raises(NotationError, match=f"line 2, column [0-9]+: node: {message}"):
        list(from_json_lines([lines[0], json.dumps(record)]))


HUGE = "9" * 400
"""A number that Python reads and no float holds."""


@pytest.mark.parametrize(
    ("key", "value"), [("f", HUGE), ("depth", HUGE), ("h", f"-{HUGE}"), ("number", f"1{'0' * 18}")]
)
def test_a_number_too_large_is_named_by_line_and_column(key: str, value: str) -> None:
    _, lines = written(EIGHT, FOUR_MOVES, AStar())
    damaged = re.sub(rf'"{key}":-?[0-9]+', f'"{key}": {value}', lines[2], count=1)
    column = damaged.index(value) + 1
    said = f"line 3, column {column}: node: {key}: expected a whole number of at most 18 digits"
    with pytest.raises(NotationError, match=said):
        list(from_json_lines([*lines[:2], damaged]))


def test_numbers_and_boards_that_are_none_and_what_follows_the_end_are_refused() -> None:
    _, lines = written(EIGHT, FOUR_MOVES, AStar())
    for word in ("NaN", "Infinity", "-Infinity"):
        with pytest.raises(NotationError, match=f"line 3: .*found {word}, which is not valid JSON"):
            list(from_json_lines([*lines[:2], lines[2].replace('"f":4', f'"f":{word}')]))
    with pytest.raises(
        NotationError, match="line 2, column 61: node: board: a board needs one blank"
    ):
        list(from_json_lines([lines[0], lines[1].replace("[[0,1,3]", "[[9,1,3]")]))
    with pytest.raises(NotationError, match=f"line {len(lines) + 1}: expected nothing after"):
        list(from_json_lines([*lines, lines[1]]))


def places_in(value: object, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Yield the way to every value within a JSON value."""
    items: Iterable[tuple[str | int, object]] = ()
    if isinstance(value, dict):
        items = value.items()
    elif isinstance(value, list):
        items = enumerate(value)
    for key, below in items:
        yield (*path, key)
        yield from places_in(below, (*path, key))


NONSENSE: tuple[object, ...] = (int(HUGE), -1, 1e308, inf, True, None, "\x1b[31m", [], {})


def test_every_view_and_the_tree_tell_damaged_traces_or_say_in_which_line_they_cannot() -> None:
    """Every value of a trace is replaced by every kind of nonsense."""
    views: dict[str, Callable[[Iterable[Event]], object]] = {
        **VIEWS,
        "s3": s3_times,
        "tree": lambda events: [to_svg(search_tree(events, 9)), to_dot(search_tree(events, 9))],
    }
    _, lines = written(EIGHT, Board.parse("1 2 3 / 4 5 0 / 7 8 6"), IDAStar())
    refused: list[int | None] = []
    told = 0
    for number, line in enumerate(lines):
        for path in list(places_in(json.loads(line))):
            for nonsense in NONSENSE:
                record = place = json.loads(line)
                for key in path[:-1]:
                    place = place[key]
                place[path[-1]] = nonsense
                damaged = [*lines[:number], json.dumps(record), *lines[number + 1 :]]
                try:
                    events = list(from_json_lines(damaged))
                except NotationError as error:
                    refused.append(error.line)
                    continue
                told += 1
                for view in views.values():
                    list(view(events))  # type: ignore[call-overload]
    assert len(refused) > told > 0
    assert None not in refused


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([], "line 1: expected a trace, found nothing"),
        (["", ""], "line 2: expected a trace, found nothing"),
        (['{"event": "started"}'], "line 1: expected the first line of a trace"),
        (["[]"], "line 1: expected the first line of a trace"),
        (['{"format": "taquin-trace", "version": 2}'], "version 1 of the trace format, found '2'"),
        (["\x00\x01"], "line 1, column 1: expected a JSON object"),
    ],
)
def test_what_is_no_trace_is_refused(lines: list[str], message: str) -> None:
    with pytest.raises(NotationError, match=message):
        list(from_json_lines(lines))
