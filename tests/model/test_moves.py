from __future__ import annotations

import pytest

from taquin.model.moves import KORF_ORDER, Direction, Metric, Move


@pytest.mark.parametrize("direction", Direction)
def test_the_opposite_of_the_opposite_is_the_direction_itself(direction: Direction) -> None:
    assert direction.opposite is not direction
    assert direction.opposite.opposite is direction


@pytest.mark.parametrize("direction", Direction)
def test_a_letter_of_either_case_names_its_direction(direction: Direction) -> None:
    assert Direction.of_letter(direction.letter) is direction
    assert Direction.of_letter(direction.letter.lower()) is direction


def test_another_letter_names_no_direction() -> None:
    with pytest.raises(KeyError):
        Direction.of_letter("X")


def test_the_korf_order_has_the_blank_go_up_left_right_down() -> None:
    assert [str(direction.opposite) for direction in KORF_ORDER] == ["up", "left", "right", "down"]


def test_a_move_prints_its_tiles_and_where_they_go() -> None:
    assert str(Move((6,), Direction.UP)) == "6 up"
    assert str(Move((6, "A"), Direction.LEFT)) == "6 A left"


def test_the_tile_of_a_move_is_the_one_a_finger_pushes() -> None:
    assert Move((6, 3), Direction.UP).tile == 3


def test_a_metric_knows_how_many_tiles_one_move_may_slide() -> None:
    assert (Metric.SINGLE.longest, Metric.MULTI.longest) == (1, None)
    assert [str(metric) for metric in Metric] == ["single", "multi"]
