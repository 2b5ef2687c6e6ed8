"""Paint scenes as pixels, and a sequence of them as an animated GIF; Pillow is loaded on first use.

Pillow has no anti-aliasing, so shapes are masks that are drawn larger and scaled down. Most tiles
have the same shape, so masks are cached. Painting through a mask is slow and most of a box has one
colour, so the mask of a box is cut into corners, edges and a middle that needs no mask:

    ╭─┬───┬─╮
    ├─┼───┼─┤     the middle of a filled box is painted directly, that of an outline not at all
    ╰─┴───┴─╯

A GIF has one palette of at most 256 colours: those of the theme, and the others from the first and
the last scene. Only the part that changed since the previous frame is converted and written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from importlib.util import find_spec
from io import BytesIO
from itertools import pairwise
from math import ceil, cos, dist, hypot, pi, sin, sqrt
from pathlib import Path
from typing import TYPE_CHECKING
from warnings import catch_warnings, simplefilter

from taquin.errors import InputError, UnsuitableError
from taquin.views.pictures.scene import (
    DARK,
    LIGHT,
    Box,
    Curve,
    Cutting,
    Paint,
    Part,
    Photo,
    Point,
    Scene,
    TextLine,
    Theme,
    need,
    placed,
    printable,
)

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageFont import FreeTypeFont
    from PIL.ImageFont import ImageFont as PlainFont

MOST_PIXELS = 60_000_000
"""The maximum number of pixels of a picture: about 180 MB while it is painted."""
_SCALE = 2.0
"""Pixels per point."""
_FINER = 4
"""The factor by which masks are drawn larger."""
_ANCHORS = {"start": "ls", "middle": "ms", "end": "rs"}

_Piece = tuple[int, int, "Image | tuple[int, int]"]
"""The position of a piece of a mask, and the piece, or its size if it is completely opaque."""


def to_png(scene: Scene, dark: bool | None = None, size: int | None = None) -> bytes:
    """Return a scene as a PNG file, light by default; `size` is its longer side in pixels.

    Raise MissingError without Pillow, UnsuitableError for a picture of too many pixels, InputError
    for a photo that cannot be read.
    """
    buffer = BytesIO()
    scale = _SCALE if size is None else size / max(scene.width, scene.height)
    raster(scene, bool(dark), scale).save(buffer, "png", compress_level=6)
    return buffer.getvalue()


def raster(scene: Scene, dark: bool, scale: float) -> Image:
    """Return a scene as pixels, `scale` of them to a point."""
    need("PIL", "Pillow", "a PNG or GIF picture")
    from PIL import Image

    size = round(scene.width * scale), round(scene.height * scale)
    if size[0] * size[1] > MOST_PIXELS:
        raise UnsuitableError(
            f"the picture would have {size[0]:,} × {size[1]:,} pixels, and more than "
            f"{MOST_PIXELS:,} are too many: write an SVG file, or show less"
        )
    theme = DARK if dark else LIGHT
    image = Image.new("RGB", size, theme["page"].fill)
    _Canvas(image, theme, scale, scene.photo).paint(scene.parts)
    return image


class _Canvas:
    def __init__(self, image: Image, theme: Theme, scale: float, photo: Photo | None) -> None:
        from PIL.ImageDraw import Draw

        self.image, self.theme, self.scale, self.photo = image, theme, scale, photo
        self.draw = Draw(image)

    def paint(self, parts: Iterable[Part]) -> None:
        painters: dict[type, Callable[..., None]] = {
            Box: self._box,
            TextLine: self._text_line,
            Curve: self._curve,
            Cutting: self._cutting,
        }
        for part, x, y, paint in placed(parts, self.theme):
            painters[type(part)](part, x, y, paint)

    def _box(self, box: Box, x: float, y: float, paint: Paint) -> None:
        x, y = round((x + box.x) * self.scale), round((y + box.y) * self.scale)
        size = round(box.width * self.scale, 1), round(box.height * self.scale, 1)
        radius = round(min(box.radius, box.width / 2, box.height / 2) * self.scale, 1)
        # Of width 0 is only what fills the box.
        line = max(0.1, round(paint.width * self.scale, 1))
        for colour, width in ((paint.fill, 0.0), (paint.line, line)):
            pieces = _pieces(*size, radius, width, paint.dashed, self.scale) if colour else ()
            for left, top, mask in pieces:
                at = x + left, y + top
                if isinstance(mask, tuple):
                    self.image.paste(colour, (*at, at[0] + mask[0], at[1] + mask[1]))
                else:
                    self.image.paste(colour, at, mask)

    def _curve(self, curve: Curve, x: float, y: float, paint: Paint) -> None:
        left, top = min(curve.x0, curve.x1), min(curve.y0, curve.y1)
        points = [
            ((px - left) * self.scale, (py - top) * self.scale) for px, py in _bezier(curve.corners)
        ]
        mask, edge = _stroke(points, paint.width * self.scale, paint.dashed, self.scale)
        place = round((x + left) * self.scale) - edge, round((y + top) * self.scale) - edge
        self.image.paste(paint.line, place, mask)

    def _text_line(self, line: TextLine, x: float, y: float, paint: Paint) -> None:
        place = (x + line.x) * self.scale, (y + line.y) * self.scale
        font = _font(round(line.size * self.scale * 2) / 2, line.bold)
        self.draw.text(place, printable(line.text), paint.fill, font, _ANCHORS[line.anchor])

    def _cutting(self, part: Cutting, x: float, y: float, _: Paint) -> None:
        assert self.photo is not None, "a scene with cuttings has a photo"
        side = round(part.side * self.scale)
        tile = photo_cells(self.photo, side)[part.row, part.column]
        mask, edge = _filled(side, side, round(side * 0.15, 1))
        mask = mask.crop((edge, edge, edge + side, edge + side))
        place = round((x + part.x) * self.scale), round((y + part.y) * self.scale)
        self.image.paste(tile, place, mask)


@lru_cache(maxsize=8)
def photo_cells(photo: Photo, side: int) -> dict[tuple[int, int], Image]:
    """Return a photo in squares of `side` pixels, by row and column; raise InputError if broken."""
    from PIL import Image, ImageOps

    try:
        with catch_warnings(), Image.open(BytesIO(photo.content)) as opened:
            # Pillow warns of large photos, and refuses very large ones.
            simplefilter("ignore")
            upright = ImageOps.exif_transpose(opened).convert("RGB")
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        raise InputError(f"the photo cannot be read: {error}") from None
    whole = ImageOps.fit(upright, (photo.columns * side, photo.rows * side))
    return {
        (y, x): whole.crop((x * side, y * side, (x + 1) * side, (y + 1) * side))
        for y in range(photo.rows)
        for x in range(photo.columns)
    }


@lru_cache(maxsize=256)
def _font(size: float, bold: bool) -> FreeTypeFont | PlainFont:
    """Return the font that comes with Matplotlib, else that of Pillow."""
    from PIL import ImageFont

    matplotlib = find_spec("matplotlib")
    if matplotlib is not None and matplotlib.origin is not None:
        name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
        file = Path(matplotlib.origin).parent / "mpl-data" / "fonts" / "ttf" / name
        if file.exists():
            return ImageFont.truetype(str(file), size)
    return ImageFont.load_default(size)


@lru_cache(maxsize=1024)
def _pieces(
    width: float, height: float, radius: float, line: float, dashed: bool, scale: float
) -> tuple[_Piece, ...]:
    """Return the mask of a box, or of its outline if it has a line, in up to nine pieces."""
    if line:
        mask, edge = _outlined(width, height, radius, line, dashed, scale)
    else:
        mask, edge = _filled(width, height, radius)
    side = ceil(radius + line) + edge + 2
    # Where a length is cut: at both ends, and near them where the rest is long enough.
    columns, rows = (
        (0, side, size - side, size) if size > 2 * side else (0, size) for size in mask.size
    )
    pieces: list[_Piece] = []
    for top, bottom in pairwise(rows):
        for left, right in pairwise(columns):
            piece = mask.crop((left, top, right, bottom))
            darkest, lightest = piece.getextrema()
            # Nothing is painted where the mask covers nothing.
            if lightest:
                whole = piece.size if darkest == 255 else piece
                pieces.append((left - edge, top - edge, whole))
    return tuple(pieces)


@lru_cache(maxsize=512)
def _filled(width: float, height: float, radius: float) -> tuple[Image, int]:
    """Return the mask of a box, and how far it reaches beyond it."""
    from PIL import Image, ImageDraw

    edge = 1
    size = round(width) + 2 * edge, round(height) + 2 * edge
    large = Image.new("L", (size[0] * _FINER, size[1] * _FINER), 0)
    far = int((edge + width) * _FINER) - 1, int((edge + height) * _FINER) - 1
    ends = [(edge * _FINER, edge * _FINER), far]
    ImageDraw.Draw(large).rounded_rectangle(ends, radius * _FINER, fill=255)
    return large.reduce(_FINER), edge


def _outlined(
    width: float, height: float, radius: float, line: float, dashed: bool, scale: float
) -> tuple[Image, int]:
    """Return the mask of the outline of a box, and how far it reaches beyond it."""
    right, bottom = width - radius, height - radius
    centres = ((right, radius), (right, bottom), (radius, bottom), (radius, radius))
    points: list[Point] = []
    for quarter, (x, y) in enumerate(centres):
        for step in range(9):
            angle = pi / 2 * (quarter - 1 + step / 8)
            points.append((x + radius * cos(angle), y + radius * sin(angle)))
    return _stroke([*points, points[0]], line, dashed, scale)


def _stroke(points: list[Point], line: float, dashed: bool, scale: float) -> tuple[Image, int]:
    """Return the mask of a line through points, and how far it reaches beyond them."""
    from PIL import Image, ImageDraw

    edge = int(line / 2) + 2
    size = round(max(x for x, _ in points)) + 2 * edge, round(max(y for _, y in points)) + 2 * edge
    large = Image.new("L", (size[0] * _FINER, size[1] * _FINER), 0)
    draw = ImageDraw.Draw(large)
    wide = max(1, round(line * _FINER))
    for dash in _dashes(points, 4 * scale, 3 * scale) if dashed else [points]:
        finer = [((x + edge) * _FINER, (y + edge) * _FINER) for x, y in dash]
        draw.line(finer, fill=255, width=wide, joint="curve")
    return large.reduce(_FINER), edge


def _dashes(points: list[Point], dash: float, gap: float) -> list[list[Point]]:
    """Return a line cut into dashes."""
    dashes: list[list[Point]] = [[points[0]]]
    left, drawing = dash, True
    for (x0, y0), (x1, y1) in pairwise(points):
        length = hypot(x1 - x0, y1 - y0)
        done = 0.0
        while length - done > left:
            done += left
            here = x0 + (x1 - x0) * done / length, y0 + (y1 - y0) * done / length
            if drawing:
                dashes[-1].append(here)
            else:
                dashes.append([here])
            drawing = not drawing
            left = dash if drawing else gap
        left -= length - done
        if drawing:
            dashes[-1].append((x1, y1))
    return [points for points in dashes if len(points) > 1]


def _bezier(corners: list[Point]) -> list[Point]:
    """Return points along the curve that four corners span."""
    points = []
    for step in range(25):
        t = step / 24
        weights = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
        x, y = (
            sum(weight * value for weight, value in zip(weights, values, strict=True))
            for values in zip(*corners, strict=True)
        )
        points.append((x, y))
    return points


MOST_GIF_PIXELS = 300_000_000
"""The maximum number of pixels of all frames together."""

_DEFAULT_SIZE = 640
"""The default longer side in pixels, smaller if the frames would exceed `MOST_GIF_PIXELS`."""
_NEAR = 12.0
"""The minimum distance of two distinct colours, in steps of red, green and blue."""

Frame = tuple[Scene, int]
"""A scene and its duration in milliseconds."""


def to_gif(frames: Iterable[Frame], dark: bool | None = None, size: int | None = None) -> bytes:
    """Return scenes of one size as a GIF that loops; `size` is its longer side in pixels.

    Raise MissingError without Pillow, and UnsuitableError for more than a GIF should hold.
    """
    scenes = list(frames)
    first, last = scenes[0][0], scenes[-1][0]
    longer, points = max(first.width, first.height), first.width * first.height * len(scenes)
    scale = max(1.0, min(_DEFAULT_SIZE / longer, sqrt(MOST_GIF_PIXELS / points) * 0.99))
    if size is not None:
        scale = size / longer
    if points * scale**2 > MOST_GIF_PIXELS:
        advice = "show less" if size is None else "use a smaller --size"
        raise UnsuitableError(
            f"{len(scenes):,} frames of {first.width * scale:,.0f} × {first.height * scale:,.0f} "
            f"pixels are too many for a GIF: write an HTML file, or {advice}"
        )
    colours = _colours([raster(scene, bool(dark), scale) for scene in (first, last)], bool(dark))
    images: list[Image] = []
    before: Image | None = None
    for scene, _ in scenes:
        image = raster(scene, bool(dark), scale)
        images.append(_indexed(image, colours, before, images[-1] if images else None))
        before = image
    buffer = BytesIO()
    images[0].save(
        buffer,
        "gif",
        save_all=True,
        append_images=images[1:],
        duration=[milliseconds for _, milliseconds in scenes],
        loop=0,
        disposal=1,
        optimize=False,
    )
    return buffer.getvalue()


def _colours(images: list[Image], dark: bool) -> Image:
    """Return an image that holds the list of colours, those of the theme as they are."""
    from PIL import Image

    wide = sum(image.width for image in images)
    both = Image.new("RGB", (wide, images[0].height))
    for number, image in enumerate(images):
        both.paste(image, (number * image.width, 0))
    theme = DARK if dark else LIGHT
    named = {colour for paint in theme.values() for colour in (paint.fill, paint.line) if colour}
    own = [tuple(bytes.fromhex(colour[1:])) for colour in sorted(named)]
    sampled = both.quantize(256 - len(own), Image.Quantize.MEDIANCUT).getpalette() or []
    # Pillow looks up colours roughly, so what is near one of the theme would be taken for it.
    others = [
        colour
        for colour in zip(*[iter(sampled)] * 3, strict=True)
        if all(dist(colour, own_colour) > _NEAR for own_colour in own)
    ]
    palette = Image.new("P", (1, 1))
    palette.putpalette([value for colour in (*own, *others) for value in colour])
    return palette


def _indexed(image: Image, colours: Image, before: Image | None, drawn: Image | None) -> Image:
    """Return an image in these colours; unchanged parts are copied from the previous frame."""
    from PIL import Image, ImageChops

    if before is None or drawn is None:
        return image.quantize(palette=colours, dither=Image.Dither.NONE)
    result = drawn.copy()
    if changed := ImageChops.difference(before, image).getbbox():
        part = image.crop(changed).quantize(palette=colours, dither=Image.Dither.NONE)
        result.paste(part, changed)
    return result
