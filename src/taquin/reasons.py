"""Sentences for people that programs can recognise: a code, its parameters, and the English text.

    reason("limit-seconds", count=60)    "limit of 60 seconds", code and parameters beside it

Errors, refusals, notices and endings are such strings, so they print, compare and pickle as text.
The page translates them by their codes (`web/messages.py`, section `python` of its tables).
Parameters are numbers, names, and further reasons. `{s}` and `{ies}` are plurals, by `count`.
"""

from __future__ import annotations

SENTENCES = {
    # what a search found, and what is proven about it
    "unsolvable": "No solution possible: {detail}.",
    "none": "No solution found: {reason}. Any solution has at least {count:,} move{s}{parity}.",
    "ended": "Stopped: {reason}. Any solution has at least {count:,} move{s}{parity}.",
    "best": "Best so far, {reason}: {count:,} move{s}; {rest}.",
    "solved-already": "Solved as it stands: 0 moves.",
    "solved-in": "Solved in {count:,} move{s}; {rest}.",
    "shortest": "no solution is shorter",
    "shortest-checked": "no solution is shorter (checked)",
    "checked": "{rest}; {detail}",
    "at-least": "the shortest has at least {count:,}{parity}",
    "within": "the shortest has at least {count:,}{parity}: within {percent} %",
    "even-number": ", an even number",
    "odd-number": ", an odd number",
    "left": "{count:,} move{s} left at best.",
    "left-none": "Solved.",
    "left-least": "At least {count:,} move{s} left.",
    "left-between": "{count:,} move{s} will do, at least {least:,} are needed.",
    # why there is no solution, or that there is one
    "solved": "the start is already solved",
    "exhausted": "every reachable board was searched in vain",
    "inversions-no": "{count:,} inversion{s}: odd, the goal is even (0 inversions). Inversions are "
    "the pairs of tiles that stand in the other order in the goal, both boards read row by row; on "
    "an odd width no move changes whether their number is odd or even",
    "inversions-yes": "{count:,} inversion{s}: even, the goal is even too (0 inversions). "
    "Inversions are the pairs of tiles that stand in the other order in the goal, both boards read "
    "row by row; on an odd width no move changes whether their number is odd or even, and all "
    "boards that agree in this can be reached from each other",
    "rows-no": "{count:,} inversion{s}, blank in row {row} of {rows}: {parity}, the goal is {goal} "
    "(0 inversions, blank in row {end}). Inversions are the pairs of tiles that stand in the other "
    "order in the goal, both boards read row by row; on an even width no move changes whether "
    "their number plus the blank's row is odd or even",
    "rows-yes": "{count:,} inversion{s}, blank in row {row} of {rows}: {parity}, the goal is "
    "{goal} too (0 inversions, blank in row {end}). Inversions are the pairs of tiles that stand "
    "in the other order in the goal, both boards read row by row; on an even width no move changes "
    "whether their number plus the blank's row is odd or even, and all boards that agree in this "
    "can be reached from each other",
    "even": "even",
    "odd": "odd",
    # why a search ended early
    "limit-generated": "limit of {count:,} node{s} generated",
    "limit-expanded": "limit of {count:,} node{s} expanded",
    "limit-enqueued": "limit of {count:,} node{s} enqueued",
    "limit-dequeued": "limit of {count:,} node{s} dequeued",
    "limit-seconds": "limit of {count:g} second{s}",
    "limit-cpu": "limit of {count:g} second{s} of processor time",
    "limit-moves": "limit of {count:,} move{s}",
    "limit-memory": "limit of {size} of memory",
    "limit-width": "the beam of width {count:,} ran dry",
    "limit-cap": "cap of {count:,} node{s} kept",
    "limit-tries": "gave up after {count:,} tr{ies}",
    "memory": "out of memory",
    "interrupted": "interrupted",
    "stopped": "stopped on request",
    "no-board": "{reason}: no board was found in time",
    # what it does meanwhile
    "stage-loading": "loading the compiled search",
    "stage-table": "building table {name} {percent} %",
    "settle-rest": "No shortest solution after {count:g} s: looking for a good one in the time "
    "that is left.",
    "settle-on": "No shortest solution after {count:g} s: looking for a good one, and for better "
    "ones{advice}.",
    "settle-large": "{rows}×{columns} is too large for a shortest solution: looking for a good "
    "one{advice}.",
    "insist": "; “Optimal, however long it takes” insists",
    # errors by their kind: the page introduces the sentence
    "unreadable": "{detail}",
    "bad-board": "{detail}",
    "mismatch": "{detail}",
    "illegal-move": "{detail}",
    "own-code": "{detail}",
    "storage": "{detail}",
    "place": "line {line}, column {column}: {detail}",
    "line": "line {line}: {detail}",
    # what the server, or Python in the browser, cannot do
    "too-large": "expected a board of at most {count:,} cell{s}, found {rows}×{columns}",
    "busy": "as many searches as this server takes are running and waiting: try again in some "
    "seconds",
    "broken": "the search was ended: {reason}",
    "too-slow": "it took longer than the server allows",
    "killed": "its process was killed (SIGKILL), perhaps out of memory",
    "crashed": "its process crashed ({name})",
    "exited": "its process ended ({name})",
    "closed": "its process closed its output",
    "server-only": "this needs a server: install taquin and run “taquin serve”",
    "internal": "internal error: {detail}",
}
"""The English sentence of each code."""


class Reason(str):
    """A sentence with its code and parameters; both are empty if it has no code."""

    __slots__ = ("code", "parameters")
    code: str
    parameters: dict[str, object]

    def __new__(
        cls, sentence: str, code: str = "", parameters: dict[str, object] | None = None
    ) -> Reason:
        """Return a sentence; one that is a reason already stays as it is."""
        if isinstance(sentence, Reason):
            return sentence
        self = super().__new__(cls, sentence)
        self.code, self.parameters = code, parameters or {}
        return self


def reason(code: str, /, **parameters: object) -> Reason:
    """Return the sentence of a code.

    >>> told = reason("limit-seconds", count=60)
    >>> told, told.code, told.parameters
    ('limit of 60 seconds', 'limit-seconds', {'count': 60})
    """
    s, ies = ("", "y") if parameters.get("count") == 1 else ("s", "ies")
    return Reason(SENTENCES[code].format(s=s, ies=ies, **parameters), code, parameters)
