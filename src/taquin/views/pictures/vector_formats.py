r"""Write scenes as SVG, TikZ and PDF.

    to_svg     self-contained, without scripts and fonts; needs no library
    to_tikz    to be included in a LaTeX document by `\input`; it needs `\usepackage{tikz}`
    to_pdf     pages, with Matplotlib, which is loaded on first use

One unit of TikZ is a PostScript point and y grows downwards, as in a scene.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from io import BytesIO
from typing import TYPE_CHECKING, Any
from warnings import catch_warnings, filterwarnings

from taquin.errors import UnsuitableError
from taquin.system.formatting import tex
from taquin.views.pictures.raster import photo_cells
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
    Scene,
    Shape,
    TextLine,
    Theme,
    need,
    placed,
    printable,
)

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

_FONTS = "ui-sans-serif,system-ui,'Segoe UI','DejaVu Sans',Helvetica,Arial,sans-serif"


def to_svg(scene: Scene, dark: bool | None = None) -> str:
    """Return a scene as an SVG document; if `dark` is None, it follows the theme of its page."""
    width, height = _n(scene.width), _n(scene.height)
    mode = {None: "", True: " dark", False: " light"}[dark]
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="taquin{mode}" '
        f'viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">',
        f"<title>{escape(printable(scene.title))}</title>",
        f"<desc>{escape(printable(scene.summary))}</desc>",
        f"<style>{_stylesheet(_roles(scene.parts), dark)}</style>",
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


def _stylesheet(roles: set[str], dark: bool | None) -> str:
    if dark is not None:
        return _rules(DARK if dark else LIGHT, roles, ".taquin.dark" if dark else ".taquin.light")
    # Paints that are the same on both pages are written once.
    different = {role: paint for role, paint in DARK.items() if LIGHT[role] != paint}
    night = _rules(different, roles, ".taquin", fonts=False)
    return f"{_rules(LIGHT, roles, '.taquin')}@media (prefers-color-scheme: dark){{{night}}}"


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
            rules.append(f"{scope} .{kind + ' .' if kind else ''}{role}{{{_css_style(paint)}}}")
    return "".join(rules)


def _css_style(paint: Paint) -> str:
    look = f"fill:{paint.fill or 'none'}"
    if paint.line:
        look += f";stroke:{paint.line};stroke-width:{_n(paint.width)}"
    return f"{look};stroke-dasharray:4 3" if paint.dashed else look


def _n(value: float) -> str:
    """Return a coordinate, rounded to a tenth of a point, in as few characters as possible."""
    return f"{value:.1f}".removesuffix(".0")


_ANCHORS = {"start": "base west", "middle": "base", "end": "base east"}


def to_tikz(scene: Scene, dark: bool | None = None) -> str:
    """Return a scene as a `tikzpicture`; raise UnsuitableError for one with a photo."""
    if scene.photo is not None:
        raise UnsuitableError("TikZ does not support photos: choose another format, such as pdf")
    theme = DARK if dark else LIGHT
    lines = [
        f"% {printable(scene.title)}",
        r"% In the preamble: \usepackage{tikz}. Where it should stand: \input{FILE}",
        r"\begin{tikzpicture}[x=1bp, y=-1bp]",
        *(
            line
            for part, x, y, paint in placed(scene.parts, theme)
            for line in _lines(part, x, y, paint)
        ),
        r"\end{tikzpicture}",
        "",
    ]
    return "\n".join(lines)


def _lines(part: Shape, x: float, y: float, paint: Paint) -> Iterator[str]:
    match part:
        case TextLine():
            size = f"\\fontsize{{{part.size:g}bp}}{{{part.size * 1.2:g}bp}}\\selectfont"
            font = f"{size}\\sffamily" + (r"\bfseries" if part.bold else "")
            look = f"anchor={_ANCHORS[part.anchor]}, inner sep=0, text={_colour(paint.fill)}"
            text = tex(printable(part.text))
            yield f"\\node[{look}, font={font}] at {_at(x + part.x, y + part.y)} {{{text}}};"
        case Box():
            far = _at(x + part.x + part.width, y + part.y + part.height)
            radius = min(part.radius, part.width / 2, part.height / 2)
            rounded = f", rounded corners={radius:.4g}bp" if radius else ""
            place = _at(x + part.x, y + part.y)
            yield f"\\path[{_tikz_style(paint)}{rounded}] {place} rectangle {far};"
        case Curve():
            start, first, second, end = (_at(x + cx, y + cy) for cx, cy in part.corners)
            yield f"\\path[{_tikz_style(paint)}] {start} .. controls {first} and {second} .. {end};"
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
_FINER = 3
"""Pixels of a photo to a point of paper."""


def to_pdf(scenes: Sequence[Scene], dark: bool | None = None) -> bytes:
    """Return scenes as the pages of a PDF; raise MissingError without Matplotlib."""
    need("matplotlib", "Matplotlib", "a PDF picture")
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
            pages.savefig(page_of(scene, theme), dpi=72 * _FINER)
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
        cells = photo_cells(photo, round(side * _FINER))
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
