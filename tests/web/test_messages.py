"""Every text of the page is in its tables, and what Python tells the page has codes there."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

import taquin as tq
from taquin.engine.task import Auto, Wishes, completed
from taquin.errors import NotationError
from taquin.reasons import SENTENCES, reason
from taquin.search.control import Control
from taquin.search.result import Limit, Limits, Task, verdict
from taquin.system.jobs import exit_in_words
from taquin.web import endpoints
from taquin.web.endpoints import catalogue
from taquin.web.messages import error_record, message
from taquin.web.page_jobs import Settings
from taquin.web.site import STATIC
from tests.web import literals

LANGUAGES = sorted(path.stem for path in (STATIC / "messages").glob("*.json"))
SCRIPTS = [path for path in STATIC.rglob("*") if path.suffix in (".js", ".html")]


def messages(language: str) -> dict[str, dict[str, str]]:
    """Return the plural forms of every message by its name; a message without them has one."""
    table = json.loads((STATIC / "messages" / f"{language}.json").read_text("utf-8"))
    return {
        f"{section}.{key}": message if isinstance(message, dict) else {"other": message}
        for section, entries in table.items()
        for key, message in entries.items()
    }


def parameters(forms: dict[str, str]) -> set[str]:
    """Return the parameters of a message; one form may leave the count out."""
    return {name for form in forms.values() for name in re.findall(r"\{(\w+)\}", form)}


def forms_of(sentence: str) -> dict[str, str]:
    """Return the plural forms of a sentence of the catalogue, as the page writes them."""
    text = re.sub(r"\{(\w+):.*?\}", r"{\1}", sentence)
    one, other = text, text
    for ending, singular in {"s": "", "ies": "y", "are": "is"}.items():
        one = one.replace(f"{{{ending}}}", singular)
        other = other.replace(f"{{{ending}}}", ending)
    return {"other": other} if one == other else {"one": one, "other": other}


def in_english() -> dict[str, dict[str, str]]:
    """Return the messages of English; sentences that its table lacks are the catalogue's."""
    catalogued = {f"python.{code}": forms_of(sentence) for code, sentence in SENTENCES.items()}
    table = list(messages("en").items())
    first = next(i for i, (name, _) in enumerate(table) if name.startswith("python."))
    return dict(table[:first]) | catalogued | dict(table[first:])


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_messages_of_english_and_the_catalogue(language: str) -> None:
    english, other = in_english(), messages(language)
    if language == "en":
        other = english | other
    assert list(other) == list(english)
    assert {name: parameters(forms) for name, forms in other.items()} == {
        name: parameters(forms) for name, forms in english.items()
    }
    assert [name for name, forms in other.items() if not all(forms.values())] == []
    assert [name for name, forms in other.items() if "other" not in forms] == []


def test_the_scripts_use_every_message_and_no_other() -> None:
    sources = "\n".join(path.read_text("utf-8") for path in SCRIPTS)
    sources = re.sub(r"^\s*(//|\*|/\*\*).*$", "", sources, flags=re.MULTILINE)
    names = messages("en")
    called = set(
        re.findall(r"""(?:\b(?:text|sentence|hasText)\(\s*|data-text=)"(\w+\.[\w-]+)\"""", sources)
    )
    assert called <= set(names), sorted(called - set(names))
    quoted = set(re.findall(r'"(\w+\.[\w-]+)"', sources))
    # `text(`moves.${direction}`)` uses every message whose name begins so.
    prefixes = tuple(re.findall(r"`(\w+\.[\w-]*)\$\{", sources))
    assert [name for name in names if name not in quoted and not name.startswith(prefixes)] == []
    counted = set(re.findall(r"\bcounted\([^;]*?\"(\w+)\"\)", sources))
    assert {f"units.{noun}" for noun in counted} == {n for n in names if n.startswith("units.")}


def test_the_texts_of_the_frame_are_those_of_the_english_table() -> None:
    page = (STATIC / "index.html").read_text("utf-8").partition("</h1>")[2]
    english = messages("en")
    # Where no script runs, there are no messages either.
    rest = re.sub(r'<p class="sentence unstarted">.*|<!--.*', "", page)
    for tag, text in re.findall(r"<([^<>]*)>([^<>\n]*\w[^<>\n]*)<", rest):
        (name,) = re.findall(r'data-text="([\w.]+)"', tag)
        assert english[name] == {"other": text}
    labels = re.findall(r'aria-label="(.*?)"(?: data-label="([\w.]+)")?', page)
    assert labels == [(english[name]["other"], name) for _, name in labels]
    assert len(labels) == 2


def test_every_algorithm_heuristic_and_option_has_messages() -> None:
    names = set(messages("en"))
    found = catalogue()
    wanted = {
        f"{section}.{entry['name']}"
        for section in ("algorithms", "heuristics")
        for entry in found[section]
    }
    wanted |= {f"{name}-line" for name in wanted}
    for option in (option for entry in found["algorithms"] for option in entry["options"]):
        title = f"search.option-{option['name']}"
        wanted |= {title, f"{title}-line"}
        for choice in option["choices"] or []:
            wanted.add(f"search.choice-{option['name']}-{choice['name']}-line")
    assert sorted(wanted - names) == []
    described = {name for name in names if name.startswith(("algorithms.", "heuristics."))}
    assert sorted(described - wanted) == []


def test_the_languages_are_those_of_the_switch() -> None:
    script = (STATIC / "page" / "messages.js").read_text("utf-8")
    entries = re.search(r"LANGUAGES = \{(.*?)\}", script)
    assert entries
    assert sorted(re.findall(r"(\w+):", entries[1])) == LANGUAGES


@pytest.mark.parametrize("name", literals.names())
def test_no_script_has_a_text_for_people_outside_the_tables(name: str) -> None:
    assert literals.findings(name) == []


def test_a_text_for_people_is_told_from_other_strings() -> None:
    source = """
        button("Undo", { class: "quiet small", "aria-label": `${count} moves left` });
        // "A comment has words too."
        if (event.key === "Enter") root.querySelector(".card .row").textContent = "It's solved.";
        element("p", {}, ready ? "Solved" : 'Not "yet" solved', text("play.undo"), /a "b c"/);
        svgElement("path", { d: "M5 12 L8 9", transform: "translate(5, 5)" });
    """
    found = [literal for _, literal in literals.texts_for_people(source)]
    assert found == ["Undo", "${count} moves left", "It's solved.", "Solved", 'Not "yet" solved']


ODD, EVEN = message(reason("odd")), message(reason("even"))
BOARD = "8 1 3 / 4 0 2 / 7 6 5"
HARD = "15 14 13 12 / 11 10 9 8 / 7 6 5 4 / 3 1 2 0"


def test_the_english_table_has_only_sentences_that_the_page_words_otherwise() -> None:
    table = {
        name.removeprefix("python."): forms
        for name, forms in messages("en").items()
        if name.startswith("python.")
    }
    assert [code for code, forms in table.items() if forms == forms_of(SENTENCES[code])] == []
    for code, forms in table.items():
        assert parameters(forms) == parameters(forms_of(SENTENCES[code])), code


@pytest.mark.parametrize("limit", list(Limit))
@pytest.mark.parametrize("size", [1, 2_000, 999_999, None])
def test_every_limit_has_a_code(limit: Limit, size: int | None) -> None:
    control = Control(Limits())
    control.end(limit, size)
    told = message(control.reason)
    assert size is None or told["parameters"].get("count", size) == size
    assert told["code"]


@pytest.mark.parametrize(
    ("board", "code", "found"),
    [
        ("1 2 3 / 4 5 6 / 8 7 0", "inversions-no", {"count": 1}),
        (BOARD, "inversions-yes", {"count": 12}),
        (
            "2 1 / 3 0",
            "rows-no",
            {"count": 1, "row": 2, "rows": 2, "end": 2, "parity": ODD, "goal": EVEN},
        ),
        (
            "1 0 / 3 2",
            "rows-yes",
            {"count": 1, "row": 1, "rows": 2, "end": 2, "parity": EVEN, "goal": EVEN},
        ),
        ("1 2 / 3 0", "solved", {}),
    ],
)
def test_the_reasons_of_classic_boards_have_codes(
    board: str, code: str, found: dict[str, object]
) -> None:
    told = message(tq.solvability(board).reason)
    assert (told["code"], told["parameters"]) == (code, found)


def codes(told: dict[str, object]) -> list[object]:
    """Return the code of a message and of those among its parameters; None for no code."""
    values = told.get("parameters", {})
    assert isinstance(values, dict)
    nested = [code for value in values.values() if isinstance(value, dict) for code in codes(value)]
    return [told.get("code"), *nested]


@pytest.mark.parametrize(
    ("board", "how", "expected"),
    [
        (BOARD, {}, ["solved-in", "shortest"]),
        ("1 2 / 3 0", {}, ["solved-already"]),
        ("2 1 / 3 0", {}, ["unsolvable", "rows-no", "odd", "even"]),
        (BOARD, {"algorithm": "bfs", "max_nodes": 9}, ["none", "limit-generated", "even-number"]),
        (BOARD, {"algorithm": "greedy(misplaced)"}, ["solved-in", "within", "even-number"]),
        (BOARD, {"algorithm": "dfs(max_depth=200)"}, ["solved-in", "at-least", "even-number"]),
        (HARD, {"seconds": 0.01}, ["best", "limit-seconds", "within", "even-number"]),
    ],
)
def test_every_verdict_has_codes(board: str, how: dict[str, Any], expected: list[str]) -> None:
    assert codes(message(verdict(tq.solve(board, **how)))) == expected


def test_the_errors_of_the_library_have_codes_and_keep_their_sentences() -> None:
    record = error_record(NotationError("expected a board", 1, 2))
    sentence = "line 1, column 2: expected a board"
    place = {"line": 1, "column": 2, "detail": {"sentence": "expected a board"}}
    detail = {"sentence": sentence, "code": "place", "parameters": place}
    parameters = {"detail": detail}
    assert record == {
        "error": sentence, "code": "unreadable", "parameters": parameters, "status": 400
    }  # fmt: skip
    assert error_record(MemoryError())["code"] == "memory"
    assert error_record(ZeroDivisionError("by zero"))["code"] == "internal"
    with pytest.raises(tq.TaquinError) as refused:
        endpoints.refuse_size(30, 30, Settings())
    told = error_record(refused.value)
    assert told["parameters"] == {"count": 400, "rows": 30, "columns": 30}


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"board": ""}, ["unreadable", "expected-board", "nothing"]),
        ({"board": "/ /"}, ["unreadable", "expected-board", "only-separators"]),
        ({"board": "1 2 3 / 4 0"}, ["unreadable", "place", "row-length"]),
        ({"board": "1 2 3 4 5 0"}, ["unreadable", "place", "no-square", "separate-rows"]),
        ({"board": "1 2 / 3 4"}, ["unreadable", "place", "tile-range", "blank-missing"]),
        ({"board": "1 2 / 3 3"}, ["unreadable", "place", "tile-twice", "blank-missing"]),
        ({"board": "1 99 / 99 99"}, ["unreadable", "place", "tile-range", "both-missing"]),
        ({"board": "1 ? / 3 0"}, ["unreadable", "place", "not-a-tile"]),
        ({"board": "1 2 / 3 0", "goal": "middle"}, ["unreadable", "no-goal"]),
        (
            {"board": "1 2 / 3 0", "goal": "0 0 / 1 2"},
            ["unreadable", "place", "first-at", "goal-blanks"],
        ),
        ({"board": "1 2 / 3 0", "goal": "1 2 0 /"}, ["mismatch", "sizes"]),
        ({"board": "1 2 / 3 0", "goal": "1 5 / 7 0"}, ["mismatch", "goal-tiles", "instead"]),
        ({"board": "1 # 2 / 3 4 0", "goal": "1 2 3 / 4 # 0"}, ["mismatch", "wall-of-start"]),
        ({"board": BOARD, "moves": "LX", "format": "text"}, ["unreadable", "not-a-move"]),
    ],
)
def test_what_a_visitor_types_wrong_has_codes(body: dict[str, str], expected: list[str]) -> None:
    def ask() -> None:
        name = "export" if "moves" in body else "check"
        job = endpoints.handled(name, json.dumps(body).encode(), Settings())
        job.run(lambda event, data: None, lambda: False)

    with pytest.raises(tq.TaquinError) as refused:
        ask()
    told = error_record(refused.value)
    assert codes(told) == expected
    assert told["error"] == str(refused.value)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"engine": "table", "board": HARD}, ["engine-unfit", "classic-cells"]),
        ({"engine": "table", "nodes": 20_000}, ["engine-unfit", "counts-nothing"]),
        ({"engine": "cpu", "metric": "multi"}, ["engine-unfit", "no-slides"]),
        ({"engine": "cpu", "goal": "1 2 3 / 4 5 6 / * * *"}, ["engine-unfit", "classic-only"]),
        ({"engine": "general", "nodes": 5}, ["engine-unfit", "few-nodes"]),
        ({"engine": "general", "search": "bfs"}, ["engine-unfit", "own-search"]),
        ({"engine": "textbook"}, ["engine-unfit", "names-only"]),
        ({"engine": "textbook", "search": "dfs"}, ["engine-unfit", "unknown-search"]),
        ({"engine": "textbook", "search": "bfs", "depth": 9}, ["engine-unfit", "no-depth"]),
        (
            {"search": "astar(patterns(small))", "goal": "* * * / * * * / * * 0"},
            ["patterns-classic"],
        ),
    ],
)
def test_the_refusals_of_engines_and_searches_have_codes(
    body: dict[str, Any], expected: list[str]
) -> None:
    asked = json.dumps({"board": BOARD} | body).encode()
    job = endpoints.handled("solve", asked, Settings())
    with pytest.raises(tq.TaquinError) as refused:
        job.run(lambda event, data: None, lambda: False)
    assert codes(error_record(refused.value)) == expected


UNLIKELY: tuple[Any, ...] = (
    5,
    -1,
    2.5,
    True,
    "",
    "x",
    "x" * 3_000,
    [],
    {},
    [[]],
    [5],
    ["x"],
    {"rows": 3},
    10**30,
)
"""Values that hardly any field takes."""
BOARDS: tuple[Any, ...] = (
    *(
        "1 2",
        "1 2 / 3",
        "# # / # #",
        "1 2 / 3 3",
        "1 @ / 2 3",
        "A B / 0 1 2",
        "123 45a",
        "((",
        "2x",
    ),
    *(
        "4x4 A(9,9)",
        "3x3 A(0,0)",
        "\0",
        "1 2 / * 0",
        "99999999999999999999 0",
        "snial",
        "blank-last",
    ),
    *(
        "[[1,2],[3,0]",
        "[[1,2],[3,[0]]]",
        "[1,{},2,0]",
        "[NaN,1,2,0]",
        '{"a":1,"a":2}',
        '{"rows":2}',
    ),
    *(
        [[1, 2], [3]],
        [[1, 2], [3, [0]]],
        [1, [2]],
        [1, 2, 3],
        [[1, -2], [3, 0]],
        [["?", 2], [3, 0]],
    ),
    *(
        [["#"]],
        [[0, 0], [1, 2]],
        [["*", 0], [1, 2]],
        [[1, 2], [3, 4]],
        [["A", "A"], [0, "B"]],
        [[]],
    ),
    {"rows": 2, "colums": 2, "cells": []},
    *({"rows": 2, "columns": 2, "cells": cells} for cells in (5, [1, 2, 3], [[1, 2, 3, 0]])),
    {"rows": 0, "columns": 2, "cells": []},
)
SEARCHES: tuple[Any, ...] = (
    *("astra", "astar(", "astar)", "astar(manhatan)", "astar(manhattan, h1)", "astar(max())", "h1"),
    *(
        "astar(h1, heuristic=h2)",
        "astar(" + "max(" * 9 + "h1" + ")" * 10,
        "astar(h1(2))",
        "astar([1 2])",
    ),
    *(
        "astar(weight=2,)",
        "wastar(weight=x)",
        "wastar(weight=0.5)",
        "wastar(weight=inf)",
        "astar(x=1)",
    ),
    *(
        "bfs(ties=lifo,ties=fifo)",
        "bfs(tie=lifo)",
        "bfs(weight=2)",
        "bfs(ties=best)",
        "beam(ties=heap)",
    ),
    *("rbfs(duplicates=reached)", "astar(bumps=true)", "bfs(bumps=maybe)", "bfs(directions=UDL)"),
    *("dfs(max_depth=-1)", "dfs(max-depth=1,max_depth=2)", "beam(width=1.5)", "arastar(step=0)"),
    *("arastar(weight=1e999)", "annealing(cooling=2)", "idastar(ties=lifo)", "dfs(random_order=x)"),
    *(
        f"astar(patterns({tiles}))"
        for tiles in ("foo", "", "[]", "[1 1]", "[1 2],3", "large", "[1]")
    ),
    *("no.py", "no.py:f", "astar(no.py)", "astar(no.py:f)", "os:system"),
)
MOVES: tuple[Any, ...] = (
    *("X", "UU", "LL", "L3", "U0", "9", "1 1", "L" * 30_000, [{"tile": 5}], [5], ["LL"]),
    *([{"tile": 8, "direction": way}] for way in ("up", "left", "sideways", None)),
    *([{"tile": 2, "direction": "left", "tiles": tiles}] for tiles in ([4], [4, 2], [0, 2], 5)),
)
ACCEPTED: dict[str, dict[str, Any]] = {
    "read": {"text": BOARD},
    "check": {"board": BOARD},
    "scramble": {},
    "left": {"board": BOARD},
    "export": {"board": BOARD, "format": "text"},
    "solve": {"board": BOARD},
    "trace": {"board": BOARD},
    "race": {"board": BOARD, "searches": ["bfs", "astar"]},
}
FIELDS: dict[str, tuple[Any, ...]] = {
    **dict.fromkeys(
        ("metric", "engine", "optimal", "anytime", "within", "seconds", "nodes"), UNLIKELY
    ),
    **dict.fromkeys(
        ("depth", "distance", "seed", "rows", "columns", "by", "speed", "skip"), UNLIKELY
    ),
    **dict.fromkeys(("hint", "format", "theme", "as", "bord"), UNLIKELY),
    **dict.fromkeys(("board", "goal", "text"), UNLIKELY + BOARDS),
    "search": UNLIKELY + SEARCHES,
    "searches": UNLIKELY + tuple([search, search] for search in SEARCHES),
    "moves": UNLIKELY + MOVES,
}
"""Bad values for every field of every request."""
MORE: tuple[tuple[str, dict[str, Any]], ...] = (
    ("scramble", {"moves": 1, "distance": 2}),
    ("scramble", {"columns": 4, "goal": "1 2 / 3 0"}),
    ("scramble", {"distance": 99}),
    ("scramble", {"goal": "1 # / # 0", "moves": 4}),
    ("scramble", {"goal": "* * / * *", "board": "A B / C 0"}),
    ("scramble", {"goal": "1 2 / 3 0", "board": "A B / C 0"}),
    ("export", {"board": BOARD}),
    ("check", {}),
    ("read", {}),
)
BYTES = (b"", b"[", b"5", b"\xff", b'{"a":"\\ud800"}', b'{"a":1,"a":2}', b"[" * 5_000, b"NaN")


def plain_words(told: dict[str, Any]) -> list[str]:
    """Return sentences without a code in a message, also among its parameters.

    The cause of a fault is in the words of Python or of the system.
    """
    if "code" not in told:
        return [told.get("sentence", told)]
    found = []
    for name, value in told["parameters"].items():
        if isinstance(value, dict):
            found += plain_words(value)
        elif name != "cause" and isinstance(value, str) and re.search("[a-z]{2} [a-z]{2}", value):
            found.append(value)
    return found


@pytest.mark.parametrize("name", ACCEPTED)
def test_no_bad_input_is_answered_by_a_sentence_without_a_code(name: str) -> None:
    bodies: list[dict[str, Any]] = [
        ACCEPTED[name] | {field: value} for field, values in FIELDS.items() for value in values
    ]
    bodies += [body for other, body in MORE if other == name]
    refused, plain = 0, []
    for body in (*BYTES, *(json.dumps(body).encode() for body in bodies)):
        try:
            job = endpoints.handled(name, body, Settings())
            if name == "export":
                job.run(lambda event, data: None, lambda: False)
        except tq.TaquinError as error:
            refused += 1
            plain += plain_words(error_record(error))
    assert plain == []
    assert refused > 200


@pytest.mark.parametrize(
    ("goal", "start", "code"),
    [
        ("A A B / B 0 1", "0 1 A / B A B", "twins"),
        ("1 * * / * 0 *", "0 5 4 / 3 2 1", "free-cells"),
        ("2 * / 3 0", "1 2 / 3 0", "to-end"),
        ("3 2 / * *", "1 2 / 3 0", "any-end"),
        ("1 2 3 0 /", "1 3 0 2 /", "line-order"),
        ("1 2 3 0 /", "1 0 2 3 /", "in-order"),
        ("1 # 2 / 3 # 0", "3 # 2 / 1 # 0", "walled-off"),
        ("1 2 # * /", "2 0 # 1 /", "no-end"),
        ("1 0 # / 2 * # / # # *", "3 0 # / 2 4 # / # # 1", "cut-off"),
        ("1 2 3 4 / # # 5 0", "2 1 3 4 / # # 5 0", "with-blank"),
        ("1 2 3 4 / # # 5 0", "1 2 5 3 / # # 4 0", "blocks-fit"),
        ("1 2 3 4 / # # 5 0", "1 2 4 3 / # # 5 0", "with-blank"),
        ("1 2 3 # / 4 5 0 6 / # # 7 8", "1 2 7 # / 4 5 0 6 / # # 3 8", "with-blank"),
    ],
)
def test_the_verdicts_on_walls_and_repeated_tiles_have_codes(
    goal: str, start: str, code: str
) -> None:
    told = message(tq.solvability(tq.Board(start), tq.Goal(goal)).reason)
    assert (told["code"], plain_words(told)) == (code, [])


def test_the_sentences_of_the_server_and_of_preparation_have_codes() -> None:
    stages: list[str] = []
    control = Control(Limits(), progress=lambda counters, _: stages.append(counters.stage))
    control.building("4×4 first-last", 1, 4)
    assert message(stages[0])["parameters"] == {"name": "4×4 first-last", "percent": 25}
    for sentence, code, parameters in (
        (exit_in_words(-11), "crashed", {"name": "SIGSEGV"}),
        (exit_in_words(-15), "exited", {"name": "SIGTERM"}),
        (exit_in_words(1), "exited", {"name": "exit status 1"}),
        (exit_in_words(-9), "killed", {}),
    ):
        told = message(sentence)
        assert (told["code"], told["parameters"]) == (code, parameters)


@pytest.mark.parametrize(("seconds", "code"), [(None, "settle-on"), (1.0, "settle-rest")])
def test_the_notices_of_a_search_for_a_good_solution_have_codes(
    seconds: float | None, code: str
) -> None:
    told: list[str] = []
    limits = Limits(seconds=seconds)
    control = Control(limits, notice=told.append, stop=lambda: bool(told))
    task = Task(tq.Puzzle(tq.Goal.blank_last(4, 4)), tq.Board.parse(HARD), limits=limits)
    ended = tq.solve(HARD, seconds=0.01)
    wishes = Wishes(Auto(threads=1), fallback=False, patience=0.5)
    completed(ended, task, wishes, control)
    expected = {"count": 0.5} if seconds else {"count": 0.5, "advice": ""}
    assert (message(told[0])["code"], message(told[0])["parameters"]) == (code, expected)
