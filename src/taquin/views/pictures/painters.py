r"""Paint scenes: as pixels, PNG and animated GIF, by Pillow; as SVG, TikZ, and PDF by Matplotlib.

    to_png, to_gif    pixels
    to_svg            self-contained, without scripts and fonts; needs no library
    to_tikz           to be included in a LaTeX document by `\input`; it needs `\usepackage{tikz}`
    to_pdf            pages

Both libraries are loaded on first use. Pillow has no anti-aliasing, so shapes are masks that are
drawn larger and scaled down. Most tiles have the same shape, so masks are cached. Painting through
a mask is slow and most of a box has one colour, so the mask of a box is cut into corners, edges and
a middle that needs no mask:

    ╭─┬───┬─╮
    ├─┼───┼─┤     the middle of a filled box is painted directly, that of an outline not at all
    ╰─┴───┴─╯

A GIF has one palette of at most 256 colours: those of the theme, and the others from the first and
the last scene. Only the part that changed since the previous frame is converted and written.

One unit of TikZ is a PostScript point and y grows downwards, as in a scene.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from html import escape
from importlib.util import find_spec
from io import BytesIO
from itertools import pairwise
from math import ceil, cos, dist, hypot, pi, sin, sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any
from warnings import catch_warnings, filterwarnings, simplefilter

from taquin.errors import InputError, UnsuitableError
from taquin.reasons import reason
from taquin.system.formatting import tex
from taquin.views.pictures.scene import (
    DARK,
    LIGHT,
    Box,
    Curve,
    Cutting,
    Group,
    Paint,
    Part,
    Photo,
    Point,
    Scene,
    Shape,
    TextLine,
    Theme,
    check_installed,
    placed,
    printable,
)

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch
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
    check_installed("png")
    from PIL import Image

    size = round(scene.width * scale), round(scene.height * scale)
    if size[0] * size[1] > MOST_PIXELS:
        width, height = size
        raise UnsuitableError(
            reason("picture-pixels", width=width, height=height, most=MOST_PIXELS)
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
        points = []
        for step in range(25):
            t = step / 24
            weights = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
            px, py = (
                sum(weight * value for weight, value in zip(weights, values, strict=True))
                for values in zip(*curve.corners, strict=True)
            )
            points.append(((px - left) * self.scale, (py - top) * self.scale))
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
    """Return Matplotlib's font, or Pillow's if Matplotlib is not installed."""
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
            f"pixels are too many for a GIF: {advice}"
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
    """Return an image whose palette has all colours of the theme, and others of the images."""
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


_FONTS = "ui-sans-serif,system-ui,'Segoe UI','DejaVu Sans',Helvetica,Arial,sans-serif"


def to_svg(scene: Scene, dark: bool | None = None) -> str:
    """Return a scene as an SVG document; if `dark` is None, it follows the theme of its page."""
    width, height = _n(scene.width), _n(scene.height)
    mode = {None: "", True: " dark", False: " light"}[dark]
    roles = _roles(scene.parts)
    if dark is None:
        # Paints that are the same on both pages are written once.
        different = {role: paint for role, paint in DARK.items() if LIGHT[role] != paint}
        night = _rules(different, roles, ".taquin", fonts=False)
        style = f"{_rules(LIGHT, roles, '.taquin')}@media (prefers-color-scheme: dark){{{night}}}"
    else:
        style = _rules(DARK if dark else LIGHT, roles, ".taquin.dark" if dark else ".taquin.light")
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="taquin{mode}" '
        f'viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">',
        f"<title>{escape(printable(scene.title))}</title>",
        f"<desc>{escape(printable(scene.summary))}</desc>",
        f"<style>{style}</style>",
    ]
    if (photo := scene.photo) is not None:
        # Every `Cutting` uses this element, in which a cell is one unit.
        content = b64encode(photo.content).decode("ascii")
        lines.append(
            f'<defs><image id="photo" width="{photo.columns}" height="{photo.rows}" '
            'preserveAspectRatio="xMidYMid slice" '
            f'href="data:image/{photo.kind};base64,{content}"/></defs>'
        )
    return "\n".join([*lines, *_elements(scene.parts), "</svg>", ""])


def _elements(parts: Iterable[Part]) -> Iterator[str]:
    """Yield the elements of parts, one a line."""
    for part in parts:
        match part:
            case Box():
                radius = f' rx="{_n(part.radius)}"' if part.radius else ""
                place = f' x="{_n(part.x)}" y="{_n(part.y)}"' if part.x or part.y else ""
                size = f'width="{_n(part.width)}" height="{_n(part.height)}"'
                yield f'<rect class="{part.role}"{place} {size}{radius}/>'
            case TextLine():
                anchor = f' text-anchor="{part.anchor}"' if part.anchor != "start" else ""
                bold = ' font-weight="600"' if part.bold else ""
                yield (
                    f'<text class="{part.role}" x="{_n(part.x)}" y="{_n(part.y)}" '
                    f'font-size="{_n(part.size)}"{anchor}{bold}>{escape(printable(part.text))}'
                    "</text>"
                )
            case Curve():
                start, *rest = (f"{_n(x)} {_n(y)}" for x, y in part.corners)
                yield f'<path class="{part.role}" d="M{start}C{" ".join(rest)}"/>'
            case Cutting():
                yield (
                    f'<svg x="{_n(part.x)}" y="{_n(part.y)}" width="{_n(part.side)}" '
                    f'height="{_n(part.side)}" viewBox="{part.column} {part.row} 1 1" '
                    'style="clip-path:inset(0 round 15%)">'
                    '<use href="#photo"/></svg>'
                )
            case Group(x=x, y=y):
                name = f' id="{part.name}"' if part.name else ""
                kinds = f' class="{" ".join(part.kinds)}"' if part.kinds else ""
                move = f' transform="translate({_n(x)} {_n(y)})"' if x or y else ""
                yield f"<g{name}{kinds}{move}>"
                if part.tooltip:
                    yield f"<title>{escape(part.tooltip)}</title>"
                yield from _elements(part.parts)
                yield "</g>"


def _roles(parts: Iterable[Part]) -> set[str]:
    roles = set()
    for part in parts:
        if isinstance(part, Group):
            roles |= _roles(part.parts)
        elif not isinstance(part, Cutting):
            roles.add(part.role)
    return roles


def _rules(theme: Theme, roles: set[str], scope: str, *, fonts: bool = True) -> str:
    rules = [f"{scope} text{{font-family:{_FONTS}}}"] if fonts else []
    for key, paint in theme.items():
        kind, _, role = key.rpartition(".")
        if role in roles:
            look = f"fill:{paint.fill or 'none'}"
            if paint.line:
                look += f";stroke:{paint.line};stroke-width:{_n(paint.width)}"
            look += ";stroke-dasharray:4 3" if paint.dashed else ""
            rules.append(f"{scope} .{kind + ' .' if kind else ''}{role}{{{look}}}")
    return "".join(rules)


def _n(value: float) -> str:
    """Return a coordinate, rounded to a tenth of a point, in as few characters as possible."""
    return f"{value:.1f}".removesuffix(".0")


_TIKZ_ANCHORS = {"start": "base west", "middle": "base", "end": "base east"}


def to_tikz(scene: Scene, dark: bool | None = None) -> str:
    """Return a scene as a `tikzpicture`; raise UnsuitableError for one with a photo."""
    if scene.photo is not None:
        raise UnsuitableError("TikZ does not support photos: choose another format, such as pdf")
    theme = DARK if dark else LIGHT
    lines = [
        f"% {printable(scene.title)}",
        r"% In the preamble: \usepackage{tikz}. Where it should stand: \input{FILE}",
        r"\begin{tikzpicture}[x=1bp, y=-1bp]",
        *(_tikz(part, x, y, paint) for part, x, y, paint in placed(scene.parts, theme)),
        r"\end{tikzpicture}",
        "",
    ]
    return "\n".join(lines)


def _tikz(part: Shape, x: float, y: float, paint: Paint) -> str:
    match part:
        case TextLine():
            size = f"\\fontsize{{{part.size:g}bp}}{{{part.size * 1.2:g}bp}}\\selectfont"
            font = f"{size}\\sffamily" + (r"\bfseries" if part.bold else "")
            look = f"anchor={_TIKZ_ANCHORS[part.anchor]}, inner sep=0, text={_colour(paint.fill)}"
            text = tex(printable(part.text))
            return f"\\node[{look}, font={font}] at {_at(x + part.x, y + part.y)} {{{text}}};"
        case Box():
            far = _at(x + part.x + part.width, y + part.y + part.height)
            radius = min(part.radius, part.width / 2, part.height / 2)
            rounded = f", rounded corners={radius:.4g}bp" if radius else ""
            place = _at(x + part.x, y + part.y)
            return f"\\path[{_tikz_style(paint)}{rounded}] {place} rectangle {far};"
        case Curve():
            start, first, second, end = (_at(x + cx, y + cy) for cx, cy in part.corners)
            return (
                f"\\path[{_tikz_style(paint)}] {start} .. controls {first} and {second} .. {end};"
            )
        case Cutting():
            raise AssertionError("a scene with cuttings has a photo")


def _tikz_style(paint: Paint) -> str:
    looks = [f"fill={_colour(paint.fill)}"] if paint.fill else []
    if paint.line:
        looks += [f"draw={_colour(paint.line)}", f"line width={paint.width:g}bp"]
    return ", ".join([*looks, "dash pattern=on 4bp off 3bp"] if paint.dashed else looks)


def _colour(colour: str) -> str:
    """Return a colour such as `#ffe08a` in the syntax of xcolor."""
    digits = colour.removeprefix("#")
    red, green, blue = (int(digits[place : place + 2], 16) for place in (0, 2, 4))
    return f"{{rgb,255:red,{red};green,{green};blue,{blue}}}"


def _at(x: float, y: float) -> str:
    return f"({x:.2f}, {y:.2f})"


_ACROSS = {"start": "left", "middle": "center", "end": "right"}
_PHOTO_SCALE = 3
"""Pixels of a photo to a point of paper."""


def to_pdf(scenes: Sequence[Scene], dark: bool | None = None) -> bytes:
    """Return scenes as the pages of a PDF; raise MissingError without Matplotlib."""
    check_installed("pdf")
    from logging import ERROR, getLogger

    # On a slow machine its first use logs that it is building the font cache.
    getLogger("matplotlib.font_manager").setLevel(ERROR)
    from matplotlib import rc_context
    from matplotlib.backends.backend_pdf import PdfPages

    buffer = BytesIO()
    # Type 42 keeps letters as letters; without a date the same scene is the same file.
    settings: Any = {"pdf.fonttype": 42, "font.family": ["DejaVu Sans"]}
    facts: Any = {"CreationDate": None, "Producer": "taquin", "Creator": "taquin"}
    theme = DARK if dark else LIGHT
    with catch_warnings(), rc_context(settings), PdfPages(buffer, metadata=facts) as pages:
        # A letter that the font lacks is shown as a box.
        filterwarnings("ignore", "Glyph")
        for scene in scenes:
            pages.savefig(page_of(scene, theme), dpi=72 * _PHOTO_SCALE)
    return buffer.getvalue()


def page_of(scene: Scene, theme: Theme) -> Figure:
    """Return a scene as a Matplotlib figure, one pixel to a point."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(scene.width / 72, scene.height / 72), dpi=72)
    figure.patch.set_facecolor(theme["page"].fill)
    for number, (part, x, y, paint) in enumerate(placed(scene.parts, theme)):
        # Matplotlib counts from the bottom.
        artist = _artist(part, x, scene.height - y, paint, scene.photo)
        # By default it draws text above shapes, and shapes above images.
        artist.set_zorder(number)
        figure.add_artist(artist)
    return figure


def _artist(part: Shape, x: float, y: float, paint: Paint, photo: Photo | None) -> Artist:
    import numpy as np
    from matplotlib.image import BboxImage
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path
    from matplotlib.text import Text
    from matplotlib.transforms import Bbox, IdentityTransform

    if isinstance(part, TextLine):
        return Text(
            x + part.x,
            y - part.y,
            printable(part.text),
            fontsize=part.size,
            color=paint.fill,
            ha=_ACROSS[part.anchor],
            va="baseline",
            weight="bold" if part.bold else "normal",
            transform=IdentityTransform(),
            parse_math=False,
        )
    if isinstance(part, Cutting):
        assert photo is not None, "a scene with cuttings has a photo"
        side = part.side
        image = BboxImage(Bbox.from_bounds(x + part.x, y - part.y - side, side, side))
        image.set_clip_path(_box(Box("", part.x, part.y, side, side, side * 0.15), x, y))
        cells = photo_cells(photo, round(side * _PHOTO_SCALE))
        image.set_data(np.asarray(cells[part.row, part.column]))
        return image
    patch: Patch
    if isinstance(part, Box):
        patch = _box(part, x, y)
    else:
        corners = [(x + cx, y - cy) for cx, cy in part.corners]
        path = Path(corners, [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4])
        patch = PathPatch(path, transform=IdentityTransform())
    dashes: Any = (0, (4, 3)) if paint.dashed else "solid"
    patch.set(facecolor=paint.fill or "none", edgecolor=paint.line or "none")
    patch.set(linewidth=paint.width, linestyle=dashes)
    return patch


def _box(box: Box, x: float, y: float) -> Patch:
    from matplotlib.patches import BoxStyle, FancyBboxPatch
    from matplotlib.transforms import IdentityTransform

    style = BoxStyle.Round(pad=0, rounding_size=min(box.radius, box.width / 2, box.height / 2))
    corner = x + box.x, y - box.y - box.height
    return FancyBboxPatch(
        corner, box.width, box.height, boxstyle=style, transform=IdentityTransform()
    )
