"""Paint scenes as the pages of a PDF, with Matplotlib, which is loaded on first use."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Any
from warnings import catch_warnings, filterwarnings

from taquin.views.palette import DARK, LIGHT, Paint, Theme
from taquin.views.pictures.painting import need, placed, printable
from taquin.views.pictures.raster import photo_cells
from taquin.views.pictures.scene import Box, Cutting, Photo, Scene, Shape, TextLine

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

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
