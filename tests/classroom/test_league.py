"""The table of a league, from records that no search made: values, order, sentences."""

from __future__ import annotations

from dataclasses import replace

from taquin.classroom.league import Attempt, Student, caption
from taquin.lab.run.database import Ending, Record
from tests.lab.made_records import made


def student(name: str, *records: Record, shared: tuple[int, ...] = ()) -> Student:
    """Return a student's row; the shortest solutions of the boards have 4, 5, 6 … moves."""
    attempts = (Attempt(record, number) for number, record in enumerate(records, 4))
    return Student(name, tuple(attempts), shared)


def solved(cost: int, nodes: int = 100) -> Record:
    return made(cost=cost, nodes=nodes)


LOST = made(cost=None)
UNCOUNTED = replace(solved(4), stats=replace(solved(4).stats, expanded=None, generated=None))


def test_a_count_is_told_if_it_has_every_inner_board_of_the_solution() -> None:
    for nodes, told in ((2, None), (3, 3), (4, 4)):
        attempt = Attempt(solved(4, nodes), 4)
        assert (attempt.counter("expanded"), attempt.counter("generated")) == (told, told)
    # Nothing is known of a run without a solution.
    assert Attempt(made(cost=None, nodes=0), 4).counter("expanded") == 0


def test_students_rank_by_boards_solved_then_optimal_then_nodes_whatever_their_number() -> None:
    rows = {
        "all": (solved(4), solved(7, 900), solved(6)),
        "short": (solved(4), solved(5, 300), LOST),
        "quick": (solved(4), solved(5, 200), LOST),
        "long": (solved(4, 5), solved(7, 7), LOST),
        "uncounted": (UNCOUNTED, solved(5, 9), LOST),
        "none": (LOST, LOST, LOST),
    }
    students = [student(name, *records, shared=(0, 1)) for name, records in rows.items()]
    ranked = [each.name for each in sorted(students, key=lambda each: each.rank)]
    assert ranked == ["all", "quick", "short", "uncounted", "long", "none"]
    assert [each.cells[:3] for each in students[:3]] == [
        ("3 of 3", "2", "500.0"),
        ("2 of 3", "2", "200.0"),
        ("2 of 3", "2", "150.0"),
    ]
    assert students[-1].cells == ("0 of 3", "0", "–", "–", "–")
    assert [each.text for each in students[3].attempts] == ["4", "7 (+2)", "limit"]


def test_the_runs_of_a_student_name_their_boards_from_one() -> None:
    crashed = made(cost=None, ending=Ending.CRASHED, reason="KeyError: 3.\nTraceback")
    row = student("ada", solved(4), crashed, LOST)
    assert [run["board"] for run in row.runs()] == [1, 2, 3]
    assert [run["reason"] for run in row.runs()] == ["", "KeyError: 3", ""]
    assert next(iter(row.faults())) == "ada, board 2: KeyError: 3"
    assert row.attempts[1].text == "failed"


def test_the_caption_tells_what_the_means_are_of() -> None:
    ranked = "Ranked by boards solved, then by optimal solutions, then by nodes expanded"
    excluded = "students who solved none are excluded."
    both = student("a", solved(4), solved(5), shared=(0, 1))
    none = student("b", LOST, LOST, shared=(0, 1))
    means = "Nodes and CPU time are means over the 2 boards that all students solved"
    assert caption([both, none]) == f"{ranked}. {means}; {excluded}"
    no_means = "There are no means: no board was solved by all students"
    apart = [student("a", solved(4), LOST), student("c", LOST, solved(5))]
    for students in ([none], apart):
        assert caption(students) == f"{ranked}. {no_means}; {excluded}"
    assert "–: not counted" in caption([student("a", UNCOUNTED, shared=(0,))])
    unknown = Student("a", (Attempt(solved(4), 4), Attempt(solved(9), None)), (0,))
    assert caption([unknown]).endswith("The optimal length of board 2 is unknown.")
