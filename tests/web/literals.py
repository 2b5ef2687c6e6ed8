"""Find texts for people in the scripts of the page that are outside of the message tables.

python -m tests.web.literals              # every file, for the owner of a script
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from taquin.web.site import STATIC

_TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)
    |(?P<regex>(?<=[=(,:!&|?\[{;\n])\s*/(?:\\.|\[(?:\\.|[^\]\n])*\]|[^/\n\\\[])+/[a-z]*)
    |(?P<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|\$\{[^{}`]*(?:\{[^{}]*\}[^{}`]*)*\}|[^`\\])*`)""",
    re.DOTALL | re.VERBOSE,
)
_WORDS = re.compile(
    r"""(?:[^\W\d_]|')+(?<=..)['"”)]?[,:;.?!]?[ ]["“(]?[^\W\d_]
    |^[ ]?[^\W\d_]{2,}[ ]$|^[ ][^\W\d_]{2,}""",
    re.VERBOSE,
)
"""Two words, or one that is joined to something else."""
_LABEL = re.compile(r"[A-Z][a-zé]+( …)?[.:!?]?")
"""One word with a capital letter, as on a button."""
_INTERNAL = re.compile(
    r"""(?:class|id|icon|kind|style|viewBox|type|d|sandbox|rel|font)\??:\s*
    |className\s*=\s*|classList\.\w+\([^)]*|console\.\w+\(|matchMedia\(|\.style\.\w+\s*=\s*
    |\.(?:querySelector(?:All)?|closest|matches|toggle|setProperty|font)\(?\s*=?\s*
    |(?:===|!==|case|in)\s*|\bimport\(|\.key\s*|setAttribute\("\w+",\s*|transform\s*=\s*""",
    re.VERBOSE,
)
"""What comes before a literal that nobody reads: names of classes, selectors, values to compare."""
_KEYS = {
    *("Enter", "Escape", "Home", "End", "Tab", "Backspace", "Delete", "Space", "Insert", "Shift"),
    *("Control", "Alt", "Meta", "Suspending", "Accept"),
}
"""Names of keys, and of properties of the browser."""
BUNDLES = {"code/codemirror.js", "gif/gifenc.js"}
"""Libraries of others."""
ALLOWED = {
    "code/board-api.js": {"False"},
    "code/score.js": {"sentence bad"},
    "code/user-code.js": {"the code of the link was not run", "too long"},
    "code/view.js": {"the code has changed"},
    "gif/reels.js": {"system-ui, sans-serif"},
    "optimal/optimal.js": {"the goal's blank is in no corner"},
    "page/messages.js": {
        *("English", "Deutsch", "no message ${name}", "the messages are not loaded yet")
    },
    "page/words.js": {"${Math.floor(number / 60)} min ${Math.floor(number % 60)} s"},
    "play/edit-puzzle.js": {"R R G / G G B / B B 0"},
    "puzzle/board.js": {"tile photo", "tile filler"},
    "search/transport.js": {"button, summary, a"},
    "watch/view.js": {"Files"},
    "studies/view.js": {"taquin study report ${name}", "taquin study run ${name}"},
}
"""Literals that stay: names of languages, classes, fonts and commands, and internal errors."""


def literals(source: str) -> Iterator[tuple[int, str, str]]:
    """Yield the line of each string of a script, what comes before it there, and the string."""
    for match in _TOKEN.finditer(source):
        if match["text"]:
            before = source[source.rfind("\n", 0, match.start()) + 1 : match.start()]
            yield source.count("\n", 0, match.start()) + 1, before, match["text"][1:-1]


def texts_for_people(source: str) -> list[tuple[int, str]]:
    """Return the strings that look like a text for people, each with its line."""
    found = []
    for line, before, literal in literals(source):
        words = re.sub(r"\$\{.*?\}+", "0", literal)
        is_label = bool(_LABEL.fullmatch(words)) and words not in _KEYS
        is_code = re.search(r"[<>{}=\[\]#;]|\w\(|^[.\w-]+:|--|\d (?:\d|[A-Z])", words)
        is_internal = re.search(rf"(?:{_INTERNAL.pattern})$", before, re.VERBOSE)
        if (is_label or _WORDS.search(words)) and not is_code and not is_internal:
            found.append((line, literal))
    return found


def findings(name: str) -> list[str]:
    """Return the texts in a script that belong into the tables, as `line: text`."""
    found = texts_for_people((STATIC / name).read_text("utf-8"))
    allowed = ALLOWED.get(name, set())
    return [f"{line}: {literal}" for line, literal in found if literal not in allowed]


def names() -> list[str]:
    """Return the names of the scripts of the page."""
    scripts = {path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*.js")}
    return sorted(scripts - BUNDLES)


if __name__ == "__main__":
    for name in names():
        for finding in findings(name):
            print(f"{name}:{finding}")
