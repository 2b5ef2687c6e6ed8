"""Boards, solutions and searches as SVG, PNG, PDF, GIF and HTML."""

from __future__ import annotations

import re
from io import BytesIO
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from PIL import Image, ImageChops

from taquin.engine.solve import solve
from taquin.errors import InputError, MissingError, UnsuitableError
from taquin.model.board import Board
from taquin.model.puzzle import Goal, Puzzle
from taquin.model.scramble import random_walk
from taquin.search.algorithms import ALGORITHMS, AStar, BreadthFirst
from taquin.search.driver import trace
from taquin.search.result import Result
from taquin.views.pictures import painters, scene
from taquin.views.pictures.boards import MOST_BOARDS, tile_paths, turns_strip
from taquin.views.pictures.drawings import (
    Drawing,
    board_drawing,
    painted,
    solution_drawing,
    tree_drawing,
    turns_drawing,
)
from taquin.views.pictures.painters import to_svg
from taquin.views.pictures.scene import DARK, LIGHT, Group, Photo, Scene, Scheme, TextLine, photo_of
from taquin.views.tree import search_tree, tree_growth
from tests.views.worlds import EIGHT, FOUR_MOVES, NAMED, NAMED_START, SVG, WALLED, WALLED_START

NASTY = """<b> & "q" 'q' </script> ]]> \\ $x$ \x1b"""


def solved(puzzle: Puzzle, start: Board) -> Result:
    return solve(start, puzzle.goal, algorithm=AStar())


def photo_file(size: tuple[int, int] = (90, 60), kind: str = "png") -> bytes:
    """Return a photo whose left half is red and whose right half is blue."""
    image = Image.new("RGB", size, "#ff0000")
    image.paste("#0000ff", (size[0] // 2, 0, *size))
    buffer = BytesIO()
    image.save(buffer, kind)
    return buffer.getvalue()


FOUR = solved(EIGHT, FOUR_MOVES)
DRAWINGS: dict[str, Drawing] = {
    "board": board_drawing(FOUR_MOVES),
    "goal": board_drawing(NAMED.goal),
    "walls": board_drawing(WALLED_START),
    "unicode": board_drawing(Board.parse("Ärger 漢 / ñandú_wíth_a_lóng_name 0")),
    "nasty": solution_drawing(FOUR, NASTY, NASTY),
    "solution": solution_drawing(FOUR, "Solved", "astar"),
    "coloured": solution_drawing(FOUR, "Solved", "astar", Scheme.FRINGE),
    "names": solution_drawing(solved(NAMED, NAMED_START), "names"),
    "turns": turns_drawing(list(trace(EIGHT, FOUR_MOVES, AStar())), "astar", 30),
    "tree": tree_drawing(list(trace(WALLED, WALLED_START, BreadthFirst())), 12),
}


def opened(content: bytes) -> Image.Image:
    return Image.open(BytesIO(content))


@pytest.mark.parametrize("dark", [None, True, False])
def test_svg_is_well_formed_and_stands_alone(dark: bool | None) -> None:
    for drawing in DRAWINGS.values():
        text = painted(drawing, "svg", dark).decode()
        assert ElementTree.fromstring(text).tag == f"{SVG}svg"
        assert "http" not in text.replace('xmlns="http://www.w3.org/2000/svg"', "")
        assert "<script" not in text
        assert ("prefers-color-scheme" in text) == (dark is None)


@pytest.mark.parametrize("name", DRAWINGS)
def test_png_has_two_pixels_to_a_point_on_a_page_of_its_colour(name: str) -> None:
    scene = DRAWINGS[name].still()
    for dark, theme in ((None, LIGHT), (True, DARK)):
        image = opened(painted(DRAWINGS[name], "png", dark))
        assert image.format == "PNG"
        assert image.size == (round(2 * scene.width), round(2 * scene.height))
        page = tuple(bytes.fromhex(theme["page"].fill[1:]))
        assert image.convert("RGB").getpixel((image.width // 2, 3)) == page


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", DRAWINGS)
def test_pdf_holds_one_page_and_its_letters(name: str) -> None:
    content = painted(DRAWINGS[name], "pdf")
    assert content.startswith(b"%PDF-")
    assert len(re.findall(rb"/Type /Page\b", content)) == 1


def test_a_film_has_a_frame_for_every_part_of_every_move_and_slides_the_tile() -> None:
    image = opened(painted(DRAWINGS["solution"], "gif"))
    assert (image.format, image.info["loop"]) == ("GIF", 0)
    assert image.convert("RGB").getpixel((2, 2)) == (255, 255, 255)
    assert getattr(image, "n_frames") == 1 + 4 * 5  # noqa: B009
    assert getattr(opened(painted(DRAWINGS["board"], "gif")), "n_frames", 1) == 1
    frames = _frames(painted(DRAWINGS["solution"], "gif"))
    cells = [_marked(frame, LIGHT["moved"].fill) for frame in frames]
    # The first move is 1 to the left, over one cell.
    assert cells[0] is None
    lefts = [cell[0] for cell in cells[1:6] if cell is not None]
    assert lefts == sorted(lefts, reverse=True)
    assert len(set(lefts)) == 5
    assert lefts[0] - lefts[-1] < frames[0].width / 3


@pytest.mark.slow
def test_a_film_of_31_moves_is_small() -> None:
    hard = solve(Board.parse("8 6 7 / 2 5 4 / 3 0 1"))
    assert hard.cost == 31
    content = painted(solution_drawing(hard, "31"), "gif")
    assert len(content) < 1_000_000
    assert getattr(opened(content), "n_frames") == 1 + 31 * 5  # noqa: B009


def test_the_longer_side_of_a_picture_has_the_pixels_asked_for_or_those_of_a_projector() -> None:
    assert max(opened(painted(DRAWINGS["solution"], "gif")).size) == 640
    scene = Scene(300, 300, ())
    long = opened(painters.to_gif([(scene, 10)] * 1500))
    assert 300 < long.size[0] < 640
    for form in ("png", "gif"):
        assert max(opened(painted(DRAWINGS["solution"], form, size=500)).size) == 500


def test_a_box_cut_into_pieces_looks_like_its_whole_mask() -> None:
    for size in ((3.0, 3.0), (14.0, 14.0), (80.0, 31.5), (300.2, 200.0)):
        for radius in (0.0, 2.5, 12.0):
            for line in (0.0, 2.0):
                mask, edge = painters._filled(*size, radius)
                if line:
                    mask, edge = painters._outlined(*size, radius, line, False, 1.0)
                pieces = painters._pieces(*size, radius, line, False, 1.0)
                put_together = Image.new("L", mask.size, 0)
                for left, top, piece in pieces:
                    if isinstance(piece, tuple):
                        piece = Image.new("L", piece, 255)
                    put_together.paste(piece, (left + edge, top + edge))
                assert put_together.tobytes() == mask.tobytes()


def test_the_corners_of_an_outline_are_round() -> None:
    wide, high, radius = 80.0, 40.0, 12.0
    mask, edge = painters._outlined(wide, high, radius, 2.0, False, 1.0)
    pixels = mask.tobytes()

    def ink(x: float, y: float) -> int:
        return pixels[round(y + edge - 0.5) * mask.width + round(x + edge - 0.5)]

    # How far the middle of an arc is from the corner of its box, in each direction.
    inset = radius * (1 - 0.5**0.5)
    assert all(ink(x, y) > 100 for x in (inset, wide - inset) for y in (inset, high - inset))
    assert all(ink(x, y) == 0 for x in (0.5, wide - 0.5) for y in (0.5, high - 0.5))


def _marked(image: Image.Image, colour: str) -> tuple[int, int, int, int] | None:
    """Return the box around all that has about this colour."""
    off = ImageChops.difference(image, Image.new("RGB", image.size, colour))
    return off.convert("L").point(lambda value: 255 if value < 8 else 0).getbbox()


def _frames(content: bytes) -> list[Image.Image]:
    image = opened(content)
    found = []
    for number in range(getattr(image, "n_frames")):  # noqa: B009
        image.seek(number)
        found.append(image.convert("RGB"))
    return found


@pytest.mark.parametrize("name", ALGORITHMS)
def test_a_tree_grows_into_what_it_is_in_the_end(name: str) -> None:
    growth = tree_growth(trace(EIGHT, FOUR_MOVES, ALGORITHMS[name]()), 50)
    whole = search_tree(trace(EIGHT, FOUR_MOVES, ALGORITHMS[name]()), 50)
    assert (growth[-1].nodes, growth[-1].complete) == (whole.nodes, whole.complete)
    if name == "astar":
        assert len(growth) == 2 + max(max(each.turns, default=0) for each in whole.nodes)
    for before, after in pairwise(growth):
        places = [(each.node, each.parent) for each in after.nodes]
        assert places[: len(before.nodes)] == [(each.node, each.parent) for each in before.nodes]


@pytest.mark.sampled(5)
@pytest.mark.parametrize("name", ALGORITHMS)
def test_every_search_is_played_step_by_step(name: str) -> None:
    six = Puzzle(Goal.blank_last(2, 3))
    events = list(trace(six, "1 2 3 / 0 4 5", ALGORITHMS[name]()))
    film = opened(painted(tree_drawing(events, 12), "gif"))
    assert getattr(film, "n_frames", 1) == len(tree_growth(events, 12))


def test_a_course_follows_every_tile_on_a_random_walk() -> None:
    puzzle = Puzzle(Goal.parse("A A B / B . 0"))
    board = Board.parse("A A B / B . 0")
    boards, moves = [board], []
    for _ in range(40):
        move = board.moves()[len(boards) % len(board.moves())]
        board = board.apply(move)
        boards.append(board)
        moves.append(move)
    tiles = tile_paths(boards[0], moves, puzzle.goal)
    for step, each in enumerate(boards):
        assert tiles.blanks[step] == each.blank
        assert [each.cells[place] for place in tiles.places[step]] == list(tiles.labels)


def test_words_are_escaped_wherever_they_stand() -> None:
    shown = NASTY.removesuffix("\x1b")
    words = TextLine("label", 0, 0, NASTY, 10)
    scene = Scene(9, 9, (Group((words,), tooltip=shown),), NASTY, NASTY)
    root = ElementTree.fromstring(to_svg(scene))
    assert root.findtext(f"{SVG}title") == root.findtext(f"{SVG}desc") == shown
    assert root.findtext(f"{SVG}g/{SVG}text") == root.findtext(f"{SVG}g/{SVG}title") == shown
    picture = painted(DRAWINGS["nasty"], "svg").decode()
    assert "<b>" not in picture
    assert "&lt;b&gt; &amp;" in picture


def test_a_photo_is_cut_so_that_each_tile_shows_its_home() -> None:
    photo = photo_of(photo_file((300, 200)), "photo.png", Goal.blank_last(2, 2).grid)
    drawing, page = board_drawing(Board.parse("2 1 / 0 3"), photo), BytesIO()
    painters.page_of(drawing.still(), LIGHT).savefig(page, format="png", dpi=72)
    # As PNG, and as a page of a PDF.
    for content in (painted(drawing, "png"), page.getvalue()):
        image = opened(content).convert("RGB")
        wide, high = image.size
        # Tile 2 is at home on the right, where the photo is blue, and lies on the left.
        assert image.getpixel((round(wide * 0.3), round(high * 0.35))) == (0, 0, 255)
        assert image.getpixel((round(wide * 0.7), round(high * 0.35))) == (255, 0, 0)


SCHEMES = {
    Scheme.FRINGE: "0 0 0 0 / 0 1 1 1 / 0 1 2 2",
    Scheme.ROWS: "0 0 0 0 / 1 1 1 1 / 2 2 2 2",
    Scheme.COLUMNS: "0 1 2 3 / 0 1 2 3 / 0 1 2 3",
    Scheme.RAINBOW: "0 1 2 3 / 4 5 6 7 / 8 9 10 11",
    Scheme.CHECKERBOARD: "0 1 0 1 / 1 0 1 0 / 0 1 0 1",
}


@pytest.mark.parametrize("scheme", Scheme)
def test_a_colour_scheme_gives_tiles_of_one_group_one_colour(scheme: Scheme) -> None:
    groups = list(map(int, SCHEMES[scheme].replace("/", "").split()))
    grid = Goal.blank_last(3, 4).grid
    assert [scheme.group(grid, home)[0] for home in range(12)] == groups
    assert {scheme.group(grid, home)[1] for home in range(12)} == {max(groups) + 1}
    board = Board.parse("5 1 2 3 / 9 0 6 4 / 10 7 11 8")
    svg = painted(board_drawing(board, scheme), "svg", dark=False).decode()
    roles = re.findall(r'<rect class="(hue-\d+)"', svg)
    tiles = [int(label) for label in board.cells if label]
    homes = [groups[tile - 1] for tile in tiles]
    assert len(set(zip(homes, roles, strict=True))) == len(set(homes)) == len(set(roles))
    colours = {LIGHT[role].fill for role in roles}
    assert len(colours) == len(set(roles))


def test_a_tile_that_moved_keeps_its_colour() -> None:
    svg = painted(DRAWINGS["coloured"], "svg", dark=False).decode()
    (fill,) = set(re.findall(r"\.light \.hue-0\{fill:(#\w+)", svg))
    (moved,) = set(re.findall(r"\.moved \.hue-0\{fill:(#\w+)", svg))
    assert fill == moved == LIGHT["hue-0"].fill


@pytest.mark.sampled(4)
@pytest.mark.parametrize("form", ["svg", "png", "pdf", "gif"])
def test_a_photo_goes_into_every_format(form: str) -> None:
    for kind in ("png", "jpeg"):
        content = photo_file(kind=kind)
        photo = photo_of(content, "photo", EIGHT.goal.grid)
        assert photo.kind == kind
        drawn = painted(solution_drawing(FOUR, "photo", "", photo), form)
        if form == "svg":
            assert drawn.count(f"data:image/{kind};base64,".encode()) == 1


def test_what_is_no_photo_or_too_much_or_needs_an_extra_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    grid = EIGHT.goal.grid
    with pytest.raises(InputError, match=r"a\.gif: expected a photo, PNG or JPEG"):
        photo_of(b"GIF89a", "a.gif", grid)
    broken = Photo(photo_file()[:60], "png", 3, 3)
    with pytest.raises(InputError, match="the photo cannot be read"):
        painted(board_drawing(FOUR_MOVES, broken), "png")
    far = random_walk(Puzzle(Goal.blank_last(4, 4)), 60, 1)
    events = trace(Puzzle(Goal.blank_last(4, 4)), far, BreadthFirst())
    with pytest.raises(UnsuitableError, match=f"at most {MOST_BOARDS} boards"):
        turns_strip(events, "bfs")
    with pytest.raises(UnsuitableError, match="pixels"):
        painters.to_png(Scene(50_000, 50_000, ()))
    with pytest.raises(UnsuitableError, match="too many for a GIF"):
        painters.to_gif([(Scene(3000, 3000, ()), 10)] * 50)
    monkeypatch.setattr(scene, "find_spec", lambda name: None)
    for form in ("png", "pdf", "gif"):
        with pytest.raises(MissingError, match=r"taquin\[pictures\]"):
            painted(DRAWINGS["board"], form)
    assert painted(DRAWINGS["solution"], "svg")


@pytest.mark.parametrize("size", [(1, 4), (3, 3), (4, 4), (10, 10), (2, 9)])
def test_boards_lie_within_their_pictures(size: tuple[int, int]) -> None:
    start = random_walk(Puzzle(Goal.blank_last(*size)), 9, 3)
    result = solved(Puzzle(Goal.blank_last(*size)), start)
    root = ElementTree.fromstring(painted(solution_drawing(result, "many"), "svg").decode())
    wide, high = float(root.attrib["width"]), float(root.attrib["height"])

    def corners(element: ElementTree.Element, x: float, y: float) -> None:
        move = re.findall(r"[-\d.]+", element.attrib.get("transform", ""))
        x, y = (x + float(move[0]), y + float(move[1])) if move else (x, y)
        if element.tag == f"{SVG}rect":
            left = x + float(element.attrib.get("x", 0))
            top = y + float(element.attrib.get("y", 0))
            assert left >= -0.1
            assert top >= -0.1
            assert left + float(element.attrib["width"]) <= wide + 0.1
            assert top + float(element.attrib["height"]) <= high + 0.1
        for child in element:
            corners(child, x, y)

    corners(root, 0.0, 0.0)
