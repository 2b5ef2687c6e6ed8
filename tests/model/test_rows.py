from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taquin.errors import NotationError
from taquin.model.moves import ANY, BLANK, FILLER, WALL, Label
from taquin.model.rows import MAX_NUMBER, draw_rows, is_label, read_label, read_rows, write_rows
from tests.model.strategies import names, numbers


def labels_of(text: str) -> list[list[Label]]:
    return [[cell.label for cell in row] for row in read_rows(text)]


@pytest.mark.parametrize(
    ("word", "label"),
    [
        ("0", BLANK),
        ("_", BLANK),
        ("@", BLANK),
        ("☺", BLANK),
        ("00", BLANK),
        (".", FILLER),
        ("#", WALL),
        ("*", ANY),
        ("7", 7),
        ("007", 7),
        ("0000000007", 7),
        ("999999", MAX_NUMBER),
        ("A", "A"),
        ("été", "été"),
        ("b2_x", "b2_x"),
    ],
)
def test_a_word_is_the_label_it_should_be(word: str, label: Label) -> None:
    assert read_label(word) == label


@pytest.mark.parametrize("word", ["1000000", "9" * 5000, "-1", "1.5", "2a", "__", "_x", "??", "٣"])
def test_a_word_that_is_no_label_is_refused(word: str) -> None:
    with pytest.raises(NotationError, match="line 3, column 5: expected") as caught:
        read_label(word, (3, 5))
    assert len(str(caught.value)) < 250


@pytest.mark.parametrize("value", [True, False, -1, 1_000_000, 1.0, None, "", "0", "_", "a b", ()])
def test_other_values_are_no_labels(value: object) -> None:
    assert not is_label(value)


@pytest.mark.parametrize(
    "text",
    ["1 2 / 3 0", "1,2/3,0", "1 2\n3 0", "1 2\r\n3 _\r\n", "\n\n 1,  2 ,\n\n3 @/", "1 2 / / 3 ☺"],
)
def test_rows_are_apart_by_slashes_or_line_ends_and_cells_by_blanks_or_commas(text: str) -> None:
    assert labels_of(text) == [[1, 2], [3, 0]]


def test_every_cell_knows_its_line_and_column() -> None:
    cells = [cell for row in read_rows("1 2 / 3 4\n  5 6") for cell in row]
    assert [cell.place for cell in cells] == [
        (1, 1), (1, 3), (1, 7), (1, 9), (2, 3), (2, 5),
    ]  # fmt: skip


def test_ragged_rows_are_refused_at_the_end_of_the_row() -> None:
    with pytest.raises(NotationError) as caught:
        read_rows("1 2 3\n4 5")
    assert (caught.value.line, caught.value.column) == (2, 3)


@pytest.mark.parametrize("text", ["", " \n\t", "//", ",,,"])
def test_nothing_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="found nothing"):
        read_rows(text)


def test_drawn_rows_are_aligned_to_the_right() -> None:
    assert draw_rows([1, 10, "A", 0], 2) == " 1 10\n A  _"


@given(st.data(), st.integers(1, 5), st.integers(1, 5))
def test_rows_read_back_as_they_were_written(data: st.DataObject, rows: int, columns: int) -> None:
    label = st.one_of(numbers, names, st.sampled_from([BLANK, FILLER, WALL, ANY]))
    cells = data.draw(st.lists(label, min_size=rows * columns, max_size=rows * columns))
    assert all(map(is_label, cells))
    expected = [cells[row * columns : (row + 1) * columns] for row in range(rows)]
    assert labels_of(write_rows(cells, columns)) == expected
    assert labels_of(draw_rows(cells, columns)) == expected


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        rows = read_rows(text)
    except NotationError:
        return
    assert all(is_label(cell.label) for row in rows for cell in row)
