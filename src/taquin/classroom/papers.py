"""Graded answers, papers (all answers of a student) and the class, as records.

A paper has one answer for each board. Its points are the sum over its answers: by default two for a
shortest solution, one for any other solution, else none. An answer that cannot be read *needs
review*: neither it nor its paper has points until a person has read it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import mean, median

from taquin import Grade
from taquin.system.formatting import counted, listed


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
    def given(self) -> int:
        """The number of boards with an answer."""
        return sum(answer.is_given for answer in self.answers)

    @property
    def solved(self) -> int:
        """The number of boards solved."""
        return sum(answer.grade.solved for answer in self.answers)

    @property
    def shortest(self) -> int:
        """The number of boards solved in the fewest moves."""
        return sum(answer.grade.is_shortest for answer in self.answers)

    @property
    def points(self) -> float | None:
        """The sum of the points; None while an answer, or the whole file, needs review."""
        points = [answer.points for answer in self.answers if answer.points is not None]
        return sum(points) if self.answers and len(points) == len(self.answers) else None

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
            f"board {answer.number}: {'needs review: ' * answer.needs_review}{answer.grade.remark}"
            for answer in self.answers
            if answer.is_given and not answer.grade.is_shortest
        ]

    def record(self, most: float) -> dict[str, object]:
        """Return the sums for JSON and CSV; `most` is the maximum of points."""
        return {
            "student": self.student,
            "name": self.name,
            "points": self.points,
            "of": most,
            "answered": self.given if self.answers else None,
            "solved": self.solved if self.answers else None,
            "shortest": self.shortest if self.answers else None,
            "needs_review": sum(answer.needs_review for answer in self.answers)
            if self.answers
            else None,
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
            "boards": [
                {"board": number, **sums} for number, sums in enumerate(board_sums(papers), 1)
            ],
        },
    }


def board_sums(papers: Sequence[Paper]) -> list[dict[str, int]]:
    """Return the numbers of answers, solutions and shortest solutions for each board."""
    by_board = zip(*(paper.answers for paper in papers if paper.answers), strict=True)
    return [
        {
            "answered": sum(answer.is_given for answer in answers),
            "solved": sum(answer.grade.solved for answer in answers),
            "shortest": sum(answer.grade.is_shortest for answer in answers),
        }
        for answers in by_board
    ]


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
