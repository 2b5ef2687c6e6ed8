"""Write scenes as self-contained SVG, without scripts and fonts, without a library."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator
from html import escape

from taquin.views.palette import DARK, LIGHT, Paint, Theme
from taquin.views.pictures.painting import printable
from taquin.views.pictures.scene import Box, Curve, Cutting, Group, Part, Scene, TextLine

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
            rules.append(f"{scope} .{kind + ' .' if kind else ''}{role}{{{_look(paint)}}}")
    return "".join(rules)


def _look(paint: Paint) -> str:
    look = f"fill:{paint.fill or 'none'}"
    if paint.line:
        look += f";stroke:{paint.line};stroke-width:{_n(paint.width)}"
    return f"{look};stroke-dasharray:4 3" if paint.dashed else look


def _n(value: float) -> str:
    """Return a coordinate, rounded to a tenth of a point, in as few characters as possible."""
    return f"{value:.1f}".removesuffix(".0")
