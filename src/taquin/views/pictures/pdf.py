"""Scenes as a PDF, a page each, with Matplotlib, which is loaded only when one is painted."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Any
from warnings import catch_warnings, filterwarnings

from taquin.views.palette import DARK, LIGHT, Paint, Theme
from taquin.views.pictures.painting import need, placed
from taquin.views.pictures.raster import photo_cell
from taquin.views.pictures.scene import Anchor, Box, Curve, Cutting, Scene, Words, printable

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

_ACROSS = {Anchor.START: "left", Anchor.MIDDLE: "center", Anchor.END: "right"}
_FINER = 3
"""Pixels of a photo to a point of paper."""


def to_pdf(scenes: Sequence[Scene], dark: bool | None = None) -> bytes:
    """Return scenes as the pages of a PDF, light by default.

    Raise MissingError without Matplotlib.
    """
    need("matplotlib", "Matplotlib", "a PDF picture")
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
    _Page(figure, scene, theme).paint()
    return figure


class _Page:
    """A page being painted; Matplotlib counts from the bottom."""

    def __init__(self, figure: Figure, scene: Scene, theme: Theme) -> None:
        self.figure, self.scene, self.theme = figure, scene, theme

    def paint(self) -> None:
        """Paint the scene, its last part on top."""
        for number, (part, x, y, paint) in enumerate(placed(self.scene.parts, self.theme)):
            artist: Artist
            if isinstance(part, Words):
                artist = self._words(part, x, y, paint)
            elif isinstance(part, Cutting):
                artist = self._cutting(part, x, y)
            else:
                artist = self._box(part, x, y) if isinstance(part, Box) else self._curve(part, x, y)
                artist.set(facecolor=paint.fill or "none", edgecolor=paint.line or "none")
                dashes: Any = (0, (4, 3)) if paint.dashed else "solid"
                artist.set(linewidth=paint.width, linestyle=dashes)
            # By itself Matplotlib puts words above shapes, and shapes above images.
            artist.set_zorder(number)
            self.figure.add_artist(artist)

    def _box(self, box: Box, x: float, y: float) -> Patch:
        from matplotlib.patches import BoxStyle, FancyBboxPatch
        from matplotlib.transforms import IdentityTransform

        radius = min(box.radius, box.width / 2, box.height / 2)
        corner = x + box.x, self.scene.height - y - box.y - box.height
        style = BoxStyle.Round(pad=0, rounding_size=radius)
        return FancyBboxPatch(
            corner, box.width, box.height, boxstyle=style, transform=IdentityTransform()
        )

    def _curve(self, curve: Curve, x: float, y: float) -> Patch:
        from matplotlib.patches import PathPatch
        from matplotlib.path import Path
        from matplotlib.transforms import IdentityTransform

        high, middle = self.scene.height - y, (curve.y0 + curve.y1) / 2
        corners = [
            (curve.x0, curve.y0),
            (curve.x0, middle),
            (curve.x1, middle),
            (curve.x1, curve.y1),
        ]
        path = Path(
            [(x + cx, high - cy) for cx, cy in corners],
            [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4],
        )
        return PathPatch(path, transform=IdentityTransform())

    def _words(self, words: Words, x: float, y: float, paint: Paint) -> Artist:
        from matplotlib.text import Text
        from matplotlib.transforms import IdentityTransform

        return Text(
            x + words.x,
            self.scene.height - y - words.y,
            printable(words.text),
            fontsize=words.size,
            color=paint.fill,
            ha=_ACROSS[words.anchor],
            va="baseline",
            weight="bold" if words.bold else "normal",
            transform=IdentityTransform(),
            parse_math=False,
        )

    def _cutting(self, part: Cutting, x: float, y: float) -> Artist:
        import numpy as np
        from matplotlib.image import BboxImage
        from matplotlib.transforms import Bbox

        assert self.scene.photo is not None, "a scene with cuttings has a photo"
        left, bottom = x + part.x, self.scene.height - y - part.y - part.side
        side = round(part.side * _FINER)
        image = BboxImage(Bbox.from_bounds(left, bottom, part.side, part.side))
        image.set_clip_path(
            self._box(Box("", part.x, part.y, part.side, part.side, part.side * 0.15), x, y)
        )
        image.set_data(np.asarray(photo_cell(self.scene.photo, side, part.row, part.column)))
        return image
