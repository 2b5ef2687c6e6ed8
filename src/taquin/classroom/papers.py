"""Grade answers, papers (all answers of a student) and the class; return records and tables.

A paper has one answer for each board. Its points are the sum over its answers: by default two for a
shortest solution, one for any other solution, else none. An answer that cannot be read *needs
review*: neither it nor its paper has points until a person has read it.

`write_feedback` writes a page for each student: the points, and each board with its first wrong
move.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from html import escape
from pathlib import Path
from statistics import mean, median

from taquin import Board, Puzzle, TaquinError
from taquin import grade as grade_answer
from taquin.analysis import Grade
from taquin.classroom.submissions import Submission
from taquin.errors import InputError
from taquin.model.rows import fold
from taquin.notation import read_answers
from taquin.system.files import atomic_write
from taquin.system.formatting import TextColumn, counted, listed, printable, shorten

Starts = Sequence[tuple[Puzzle, Board]]
"""The boards of one variant, each with its puzzle."""
_VARIANT = re.compile(
    r"^[^\w\n]*variante?[^\w\n]*([0-9]{1,6})(?!\w)[^\w\n←↑→↓]*", re.MULTILINE | re.IGNORECASE
)
"""The line that names a variant; moves may follow it, also as arrows."""


@dataclass(frozen=True, slots=True)
class Points:
    """The points for a solution of one board."""

    shortest: float = 2
    """Points for a shortest solution."""
    other: float = 1
    """Points for a longer one, or one whose shortest length is not known."""

    @classmethod
    def parse(cls, text: str) -> Points:
        """Return the points written as `2,1` or `1`; raise ValueError for another text."""
        try:
            numbers = [float(part) for part in text.split(",")]
        except ValueError:
            numbers = []
        if len(numbers) not in (1, 2) or not all(0 <= number <= 1000 for number in numbers):
            raise ValueError("points for a shortest solution and for any other, such as 2,1")
        shortest, other = (
            int(number) if number.is_integer() else number for number in (numbers[0], numbers[-1])
        )
        return cls(shortest, other)

    def of(self, grade: Grade) -> float:
        """Return the points of a grade."""
        return self.shortest if grade.is_shortest else self.other if grade.solved else 0


@dataclass(frozen=True, slots=True)
class GradedAnswer:
    """One graded answer of one student."""

    student: str
    """The name of the student's file; empty if there is only one file."""
    number: int
    """The number of the board."""
    start: str
    text: str
    grade: Grade
    points: float | None
    """None for an answer that needs review."""

    @property
    def needs_review(self) -> bool:
        """Whether it cannot be read, or may be part of a line that cannot be read."""
        return self.points is None

    @property
    def is_given(self) -> bool:
        """Whether there is an answer, or the board needs none."""
        return self.text != "" or self.grade.solved

    def cell(self, field: str) -> str:
        """Return the text of a field of its grade."""
        value = getattr(self.grade, field)
        if isinstance(value, bool):
            doubt = "review" if self.needs_review else "" if self.is_given else "–"
            return doubt or ("yes" if value else "no")
        return str(value) if value is not None else "" if field == "wrong" else "–"

    def record(self) -> dict[str, object]:
        """Return the answer for JSON and CSV."""
        grade = self.grade
        return {
            "student": self.student,
            "board": self.number,
            "start": self.start,
            "answer": self.text,
            "legal": grade.legal if self.is_given and not self.needs_review else None,
            "solved": None if self.needs_review else grade.solved,
            "moves": grade.moves,
            "shortest": grade.shortest,
            "first_wrong": grade.wrong,
            "first_detour": grade.detour,
            "right_if_swapped": grade.swapped,
            "points": self.points,
            "needs_review": self.needs_review,
            "remark": grade.remark,
        }


@dataclass(frozen=True, slots=True)
class Paper:
    """All answers of one student."""

    student: str
    name: str = ""
    """The name that the file gives; empty for none."""
    answers: tuple[GradedAnswer, ...] = ()
    """One for each board; none when the file cannot be read."""
    remarks: tuple[str, ...] = ()
    """Lines that were skipped, or why the file cannot be graded."""

    @property
    def points(self) -> float | None:
        """The sum of the points; None while an answer, or the whole file, needs review."""
        points = [answer.points for answer in self.answers if answer.points is not None]
        return sum(points) if self.answers and len(points) == len(self.answers) else None

    @property
    def summary(self) -> str:
        """The number of boards solved, or why the file cannot be graded."""
        if not self.answers:
            return self.remarks[0]
        sums = _sums(self.answers)
        total = f"{sums['solved']} of {counted(len(self.answers), 'board')} solved"
        return f"{total}, {sums['shortest']} in the fewest moves"

    @property
    def comments(self) -> list[str]:
        """Sentences for the student."""
        comments = list(self.remarks)
        for heading, needs_review in (("no answer", False), ("needs review, no answer read", True)):
            missing = [
                answer.number
                for answer in self.answers
                if not answer.is_given and answer.needs_review is needs_review
            ]
            if missing:
                boards = "boards" if len(missing) > 1 else "board"
                comments.append(f"{heading}: {boards} {listed(missing, 10)}")
        return comments + [
            f"board {answer.number}: "
            + f"needs review: {shorten(answer.text, 60)}: " * answer.needs_review
            + answer.grade.remark
            for answer in self.answers
            if answer.is_given and not answer.grade.is_shortest
        ]

    def record(self, most: float) -> dict[str, object]:
        """Return the sums for JSON and CSV; `most` is the maximum of points."""
        sums = _sums(self.answers) | {"needs_review": sum(a.needs_review for a in self.answers)}
        return {
            "student": self.student,
            "name": self.name,
            "points": self.points,
            "of": most,
            **(sums if self.answers else dict.fromkeys(sums)),
        }


def _sums(answers: Sequence[GradedAnswer]) -> dict[str, int]:
    """Return the numbers of answers, solutions and shortest solutions."""
    return {
        "answered": sum(answer.is_given for answer in answers),
        "solved": sum(answer.grade.solved for answer in answers),
        "shortest": sum(answer.grade.is_shortest for answer in answers),
    }


def csv_rows(papers: Sequence[Paper], most: float, boards: int) -> list[dict[str, object]]:
    """Return a row for each student: the sums, the points of each board, and the comments."""
    return [
        paper.record(most)
        | {
            f"board_{number}": paper.answers[number - 1].points if paper.answers else None
            for number in range(1, boards + 1)
        }
        | {"remarks": "; ".join(paper.comments)}
        for paper in papers
    ]


def class_json(papers: Sequence[Paper], most: float) -> dict[str, object]:
    """Return every student with the answers, and the summary of the class."""
    graded = [paper.points for paper in papers if paper.points is not None]
    return {
        "students": [
            paper.record(most)
            | {
                "remarks": list(paper.remarks),
                "answers": [answer.record() for answer in paper.answers],
            }
            for paper in papers
        ],
        "class": {
            "students": len(papers),
            "graded": len(graded),
            "needs_review": len(papers) - len(graded),
            "of": most,
            "mean": mean(graded) if graded else None,
            "median": median(graded) if graded else None,
            "lowest": min(graded, default=None),
            "highest": max(graded, default=None),
            "boards": board_sums(papers),
        },
    }


def board_sums(papers: Sequence[Paper]) -> list[dict[str, int]]:
    """Return the numbers of answers, solutions and shortest solutions of each board."""
    by_board = zip(*(paper.answers for paper in papers if paper.answers), strict=True)
    return [{"board": number} | _sums(answers) for number, answers in enumerate(by_board, 1)]


def answer_table(papers: Sequence[Paper]) -> list[TextColumn]:
    """Return a row for each answer."""
    answers = [answer for paper in papers for answer in paper.answers]
    first = TextColumn("board", [str(answer.number) for answer in answers])
    if any(paper.student for paper in papers):
        # A table in several blocks repeats only its first column.
        names = [printable(f"{answer.student} {answer.number}") for answer in answers]
        first = TextColumn("answer", names, left=True)
    fields = ("legal", "solved", "moves", "shortest", "wrong")
    return [
        first,
        *(TextColumn(field, [answer.cell(field) for answer in answers]) for field in fields),
    ]


def class_table(papers: Sequence[Paper], most: float) -> list[TextColumn]:
    """Return a row for each student."""
    names = [printable(paper.name) for paper in papers]
    records = [paper.record(most) for paper in papers]
    points = ["review" if p.points is None else f"{p.points:g}/{most:g}" for p in papers]
    return [
        TextColumn("student", [printable(paper.student) for paper in papers], left=True),
        *([TextColumn("name", names, left=True)] if any(names) else []),
        *(
            TextColumn(key, ["–" if row[key] is None else str(row[key]) for row in records])
            for key in ("answered", "solved", "shortest")
        ),
        TextColumn("points", points),
    ]


def board_table(papers: Sequence[Paper]) -> list[TextColumn]:
    """Return a row for each board; no column if no paper can be read."""
    sums = board_sums(papers)
    return [TextColumn(key, [str(row[key]) for row in sums]) for row in sums[:1] for key in row]


def class_sentence(papers: Sequence[Paper], most: float) -> str:
    """Return a sentence that summarises the class."""
    points = [paper.points for paper in papers if paper.points is not None]
    rest = len(papers) - len(points)
    review = f"{counted(rest, 'paper')} need{'s' * (rest == 1)} review"
    if not points:
        return f"No paper has points yet: {review}."
    return (
        f"{counted(len(points), 'student')}: {mean(points):.1f} of {most:g} points on average, "
        f"median {median(points):g}, from {min(points):g} to {max(points):g}"
        + (f"; {review}, and is left out" if rest == 1 else f"; {review}, and are left out")
        * bool(rest)
    )


def variants_of(starts: Starts, text: str) -> list[Starts]:
    """Return the boards of each variant of a file; raise InputError if some have fewer boards."""
    count = len(re.findall(r"^# variant [0-9]+\s*$", text, re.MULTILINE)) or 1
    if len(starts) % count:
        fault = f"expected equally many boards in each of {counted(count, 'variant')}"
        raise InputError(f"{fault}, found {counted(len(starts), 'board')}")
    return list(fold(starts, len(starts) // count))


class Grader:
    """Grades the answers to a set of boards; `distance` is called once for each position."""

    def __init__(
        self,
        variants: Sequence[Starts],
        points: Points,
        blank: bool,
        distance: Callable[[Puzzle, Board], int | None],
    ) -> None:
        self.variants = variants
        self.boards = len(variants[0])
        self.most = points.shortest * self.boards
        self.answers: list[GradedAnswer] = []
        """Those of the current file that are graded so far."""
        self._points, self._blank = points, blank
        self._distance = cache(distance)

    def papers_of(self, submissions: Sequence[Submission]) -> Iterator[Paper]:
        """Yield the paper of each submission, readable or not."""
        for submission in submissions:
            fault = submission.fault
            try:
                paper = None if fault else self.paper(submission.student, submission.text)
            except TaquinError as error:
                paper, fault = None, str(error)
            yield paper or Paper(submission.student, remarks=(f"cannot be graded: {fault}",))

    def paper(self, student: str, text: str) -> Paper:
        """Return the graded answers in a text.

        Of several variants it is the one that the text names, or else the one that most answers
        solve; raise InputError if none of them stands out.
        """
        if len(self.variants) == 1:
            return self._graded(student, text, self.variants[0])
        match, own = _VARIANT.search(text), None
        if match and 1 <= int(match[1]) <= len(self.variants):
            text = text[: match.start()] + text[match.end() :].lstrip()
            own = self._graded(student, text, self.variants[int(match[1]) - 1])
            if any(answer.grade.solved for answer in own.answers):
                return own
        papers = [self._graded(student, text, starts) for starts in self.variants]
        solved = [sum(answer.grade.solved for answer in paper.answers) for paper in papers]
        if match and own:
            number = solved.index(max(solved)) + 1
            if max(solved) < self.boards:
                return own
            raise InputError(
                f"it names variant {match[1]}, but solves the boards of variant {number}"
            )
        if solved.count(max(solved)) > 1:
            found = f"found {match[1]}" if match else "found none"
            raise InputError(
                f"expected a line with the variant, Variant 1 to {len(papers)}, {found}, and the "
                f"answers fit none of them best"
            )
        number = solved.index(max(solved)) + 1
        remark = f"no line with the variant: graded as variant {number}, whose boards it solves"
        best = papers[number - 1]
        return replace(best, remarks=(remark, *best.remarks))

    def _grade(self, puzzle: Puzzle, start: Board, answer: str) -> Grade:
        return grade_answer(
            start,
            answer,
            puzzle.goal,
            metric=puzzle.metric,
            blank=self._blank,
            distance=partial(self._distance, puzzle),
        )

    def _graded(self, student: str, text: str, starts: Starts) -> Paper:
        read = read_answers(text.splitlines(), [start for _, start in starts])
        self.answers = answers = []
        for number, answer in enumerate(read.texts, 1):
            puzzle, start = starts[number - 1]
            grade = self._grade(puzzle, start, answer)
            # A line such as `1, LURD`, without the point or colon after the number of the board.
            rest = re.fullmatch(rf"\W*{number}\b(.*)", answer, re.DOTALL)
            if rest and not grade.solved:
                again = self._grade(puzzle, start, rest[1])
                grade = again if again.solved else grade
            has_other = read.may_be_shifted or (not answer and read.has_strays)
            is_doubtful = has_other or not grade.readable
            points = None if is_doubtful and not grade.solved else self._points.of(grade)
            answers.append(GradedAnswer(student, number, start.text(), answer, grade, points))
        remarks = list(read.skipped)
        swapped = sum(answer.grade.swapped for answer in answers)
        if swapped > 1:
            other = "tile, without --blank" if self._blank else "blank, as --blank reads them"
            remarks.append(f"{swapped} answers are right as moves of the {other}")
        return Paper(student, read.name, tuple(answers), tuple(remarks))


_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem }
section { display: flex; gap: 1.5rem; flex-wrap: wrap; border-top: 1px solid #999; padding: 1rem 0 }
section > div { flex: 1 1 18rem }
figure { margin: 0; width: 9rem } svg { width: 100%; height: auto }
h2 { margin: 0; font-size: 1.1rem } figcaption { font-size: .85rem }
code { overflow-wrap: anywhere }
@media print { section { break-inside: avoid } }
"""


def write_feedback(folder: Path, papers: Sequence[Paper], most: float) -> int:
    """Write a page for each paper into a folder, and return their number."""
    folder.mkdir(parents=True, exist_ok=True)
    # Distinct names without special characters.
    names = [
        re.sub(r"[^\w .()-]+", "_", paper.student).strip(" .") or "feedback" for paper in papers
    ]
    lowered = [name.casefold() for name in names]
    for number, (paper, name, key) in enumerate(zip(papers, names, lowered, strict=True), 1):
        name += "" if lowered.count(key) == 1 else f" ({number})"
        with atomic_write(folder / f"{name}.html") as file:
            file.write(feedback_page(paper, most).encode())
    return len(papers)


def feedback_page(paper: Paper, most: float) -> str:
    """Return the page of a paper."""
    name = escape(paper.name or paper.student or "Feedback")
    points = "needs review" if paper.points is None else f"{paper.points:g} of {most:g} points"
    general = "".join(f"<p>{escape(remark)}</p>\n" for remark in paper.remarks)
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{name}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f"<h1>{name}: {points}</h1>\n{general}"
        f"{''.join(map(_section, paper.answers))}</body>\n</html>\n"
    )


def _section(answer: GradedAnswer) -> str:
    grade = answer.grade
    points = "needs review" if answer.points is None else f"{answer.points:g} points"
    pictures = _figure(Board(answer.start), "the board")
    if grade.reached is not None and grade.moves and not grade.solved:
        caption = f"before move {grade.wrong}" if grade.wrong else "after the last move"
        pictures += _figure(grade.reached, caption)
    text = f"<p>Answer: <code>{escape(answer.text)}</code></p>" if answer.text else ""
    return (
        f"<section>\n<div><h2>Board {answer.number}: {points}</h2>\n{text}"
        f"<p>{escape(grade.remark)}</p></div>\n{pictures}</section>\n"
    )


def _figure(board: Board, caption: str) -> str:
    drawing = board._repr_svg_() or ""
    return f"<figure>{drawing}<figcaption>{escape(caption)}</figcaption></figure>\n"
