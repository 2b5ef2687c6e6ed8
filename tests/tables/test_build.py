"""The compiled build agrees with a plain search over (configuration, blank), value by value."""

from hashlib import sha256

import pytest

from taquin.errors import UnsuitableError
from taquin.tables.build import build_table, value_at
from taquin.tables.patterns import PatternKey, keys_of
from taquin.tables.shape import Shape
from tests import naive


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("rows", "columns", "tiles", "blank"),
    [
        (2, 4, (1, 2, 3, 4, 5, 6, 7), 0),
        (2, 2, (1, 2, 3), 0),
        (2, 2, (1,), 0),
        (2, 3, (1, 2), 0),
        (2, 3, (1, 3), 0),
        (2, 3, (1, 3, 4), 0),
        (3, 2, (0, 1, 2, 3, 5), 4),
        (3, 3, (1, 3), 0),
        (3, 3, (1, 3), 4),
        (3, 3, (1, 3, 5, 7), 4),
        (3, 3, (1, 2, 4, 5), 0),
        (2, 5, (2, 3, 7), 0),
        (5, 2, (2, 3, 4, 5), 0),
        (3, 4, (0, 1, 2, 4), 11),
        (2, 9, (3, 12, 5), 0),
        (4, 5, (5, 6), 0),
    ],
)
def test_table_matches_naive_twin(
    rows: int, columns: int, tiles: tuple[int, ...], blank: int
) -> None:
    tiles = tuple(sorted(tiles))
    key = PatternKey(rows, columns, tiles, blank)
    assert key.ranked is (len(tiles) == 7)
    table = build_table(key, threads=2)
    truth = naive.pattern_distances(rows, columns, tiles, blank)
    assert len(truth) <= key.configurations
    for where, distance in truth.items():
        walked = sum(naive.distance(a, b, columns) for a, b in zip(where, tiles, strict=True))
        assert value_at(table, naive.index_of(key, where)) == min(15, (distance - walked) // 2)


@pytest.mark.parametrize(
    ("key", "digest"),
    [
        (PatternKey(4, 4, (0, 1, 2), 3), "76c26a911bb04c17"),
        (PatternKey(3, 3, (1, 2, 3, 4, 5, 6, 7), 0), "39121c10c6657229"),
        (PatternKey(4, 5, (1, 2, 5), 0), "d99e92b47602b8f9"),
    ],
)
def test_the_bytes_of_a_table_stay_those_on_the_disks_of_users(
    key: PatternKey, digest: str
) -> None:
    assert sha256(build_table(key).tobytes()).hexdigest()[:16] == digest


def test_threads_do_not_change_a_table() -> None:
    key = keys_of(Shape(3, 4, 0), "small")[-1]
    assert build_table(key, threads=1).tobytes() == build_table(key, threads=4).tobytes()


def test_progress_rises_to_the_number_of_configurations_and_ends_a_build_by_raising() -> None:
    seen: list[int] = []
    key = PatternKey(3, 3, (1, 2, 4), 0)

    def note(done: int, total: int) -> None:
        assert total == key.configurations
        seen.append(done)

    build_table(key, progress=note)
    assert seen == sorted(seen)
    assert seen[-1] == key.configurations

    def give_up(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build_table(key, progress=give_up)
    for threads in (0, -1):
        with pytest.raises(UnsuitableError, match="threads must be 1 or more"):
            build_table(key, threads=threads)
