"""Figures drawn with Matplotlib, which is loaded only when one is drawn.

Drawings for a page are SVG whose lines and letters take the colour of the text around them, so
that one drawing suits a light page and a dark one. The same figure always gives the same SVG.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from textwrap import fill
from typing import TYPE_CHECKING, Any, Literal

from taquin.errors import UnsuitableError
from taquin.lab.plot_kinds import DRAWERS
from taquin.lab.report import Figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure as Drawing

Format = Literal["svg", "png"]
"""The kinds of files that can be written."""

_INK = "#010203"
"""A colour that nothing else has; on a page it becomes the colour of the text."""
_STYLE: dict[str, Any] = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans", "Verdana", "Arial", "sans-serif"],
    "font.size": 9.5,
    "axes.titlesize": 11,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.alpha": 0.18,
    "grid.linewidth": 0.7,
    "legend.frameon": False,
    "svg.fonttype": "none",
    "axes.unicode_minus": False,
}
_SIZE = (7.4, 4.3)
_CAPTION_LETTERS = 108


def available() -> bool:
    """Tell whether Matplotlib is installed, without loading it."""
    from importlib.util import find_spec

    return find_spec("matplotlib") is not None


def to_svg(figure: Figure, *, caption: bool = True, page: bool = False) -> str:
    """Return the figure as an SVG document, or for a `page` as an element without its own colours.

    Raise UnsuitableError where Matplotlib is not installed.
    """
    with _drawn(figure, caption, _INK if page else "#1b1f24", opaque=not page) as drawing:
        text = _saved(drawing, "svg").decode("utf-8")
    return _for_page(text, figure) if page else text


def to_png(figure: Figure, *, caption: bool = True, dpi: int = 150) -> bytes:
    """Return the figure as a PNG image; raise UnsuitableError where Matplotlib is missing."""
    with _drawn(figure, caption, "#1b1f24", opaque=True) as drawing:
        return _saved(drawing, "png", dpi)


def draw(figure: Figure, *, caption: bool = False, ink: str = "#1b1f24") -> Drawing:
    """Return the figure as a Matplotlib figure, for a notebook that wants to change it.

    Raise UnsuitableError where Matplotlib is not installed.
    """
    _require()
    from matplotlib import rc_context
    from matplotlib.figure import Figure as Drawing

    with rc_context(_style(ink)):
        drawing = Drawing(figsize=_SIZE, layout="constrained")
        axes = drawing.add_subplot()
        DRAWERS[figure.kind](axes, figure, ink)
        axes.set_title(figure.title)
        axes.set_xlabel(figure.x.label)
        axes.set_ylabel(figure.y.label)
        if caption:
            drawing.supxlabel(
                fill(figure.caption, _CAPTION_LETTERS), x=0.01, ha="left", fontsize=8, color=ink
            )
    return drawing


@contextmanager
def _drawn(figure: Figure, caption: bool, ink: str, *, opaque: bool) -> Iterator[Drawing]:
    drawing = draw(figure, caption=caption, ink=ink)
    from matplotlib import rc_context

    with rc_context(_style(ink, figure.name)):
        drawing.patch.set_alpha(1.0 if opaque else 0.0)
        for axes in drawing.axes:
            axes.patch.set_alpha(1.0 if opaque else 0.0)
        yield drawing


def _saved(drawing: Drawing, kind: Format, dpi: int = 150) -> bytes:
    buffer = BytesIO()
    # Without a date, and without Matplotlib's own address, the same figure is the same file.
    metadata = {"Date": None, "Creator": None} if kind == "svg" else {"Software": None}
    drawing.savefig(buffer, format=kind, dpi=dpi, metadata=metadata)
    return buffer.getvalue()


def _style(ink: str, salt: str = "taquin") -> Any:
    """Return the settings of Matplotlib; `salt` makes the names within an SVG, always the same."""
    inked = (
        "text.color",
        "axes.labelcolor",
        "axes.edgecolor",
        "axes.titlecolor",
        "xtick.color",
        "ytick.color",
        "grid.color",
    )
    return {**_STYLE, **dict.fromkeys(inked, ink), "svg.hashsalt": salt}


def _require() -> None:
    if not available():
        raise UnsuitableError(
            "plots need Matplotlib, which is not installed: pip install 'taquin[plots]'"
        )


# --- for a page ----------------------------------------------------------------------------------

_ID = re.compile(r'(\bid="|url\(#|href="#)')


def _for_page(text: str, figure: Figure) -> str:
    """Return the `<svg>` element alone, its names its own, its ink that of the page."""
    element = text[text.index("<svg") :].strip()
    element = re.sub(r"<metadata>.*?</metadata>\s*", "", element, flags=re.DOTALL)
    element = _ID.sub(lambda found: f"{found[1]}{figure.name}-", element)
    element = element.replace(_INK, "currentColor")
    # The page decides how wide it is; the drawing keeps its shape.
    head, _, rest = element.partition(">")
    head = re.sub(r'\s(?:width|height)="[^"]*"', "", head)
    return f'{head} role="img" aria-labelledby="{figure.name}-caption">{rest}'
