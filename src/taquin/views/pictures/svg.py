"""Scenes as SVG: one self-contained text, no script, no font and no library."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator
from html import escape

from taquin.views.palette import DARK, LIGHT, Paint, Theme
from taquin.views.pictures.scene import (
    Anchor,
    Box,
    Curve,
    Cutting,
    Group,
    Part,
    Photo,
    Scene,
    Words,
    printable,
)

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
        f"<style>{stylesheet(_roles(scene.parts), dark)}</style>",
        *photo_definition(scene.photo),
        *drawn(scene.parts),
        "</svg>",
        "",
    ]
    return "\n".join(lines)


def stylesheet(roles: set[str], dark: bool | None = None) -> str:
    """Return the style of these roles; if `dark` is None, for light and for dark pages."""
    if dark is not None:
        return _rules(DARK if dark else LIGHT, roles, ".taquin.dark" if dark else ".taquin.light")
    # Paints that are the same on both pages are written once.
    other = {role: paint for role, paint in DARK.items() if LIGHT[role] != paint}
    night = _rules(other, roles, ".taquin", fonts=False)
    return f"{_rules(LIGHT, roles, '.taquin')}@media (prefers-color-scheme: dark){{{night}}}"


def drawn(parts: Iterable[Part]) -> Iterator[str]:
    """Yield the elements of parts, one a line."""
    for part in parts:
        match part:
            case Box():
                radius = f' rx="{_n(part.radius)}"' if part.radius else ""
                place = f' x="{_n(part.x)}" y="{_n(part.y)}"' if part.x or part.y else ""
                size = f'width="{_n(part.width)}" height="{_n(part.height)}"'
                yield f'<rect class="{part.role}"{place} {size}{radius}/>'
            case Words():
                yield _words(part)
            case Curve():
                x0, y0, x1, y1 = map(_n, (part.x0, part.y0, part.x1, part.y1))
                middle = _n((part.y0 + part.y1) / 2)
                yield (
                    f'<path class="{part.role}" '
                    f'd="M{x0} {y0}C{x0} {middle} {x1} {middle} {x1} {y1}"/>'
                )
            case Cutting():
                yield (
                    f'<svg x="{_n(part.x)}" y="{_n(part.y)}" width="{_n(part.side)}" '
                    f'height="{_n(part.side)}" viewBox="{part.column} {part.row} 1 1" '
                    'style="clip-path:inset(0 round 15%)">'
                    '<use href="#photo"/></svg>'
                )
            case Group():
                yield _opening(part)
                if part.tooltip:
                    yield f"<title>{escape(part.tooltip)}</title>"
                yield from drawn(part.parts)
                yield "</g>"


def photo_definition(photo: Photo | None) -> Iterator[str]:
    """Yield the photo as an element that `Cutting`s use, embedded and one unit a cell."""
    if photo is not None:
        content = b64encode(photo.content).decode("ascii")
        yield (
            f'<defs><image id="photo" width="{photo.columns}" height="{photo.rows}" '
            'preserveAspectRatio="xMidYMid slice" '
            f'href="data:image/{photo.kind};base64,{content}"/></defs>'
        )


def _opening(group: Group) -> str:
    name = f' id="{group.name}"' if group.name else ""
    kinds = f' class="{" ".join(group.kinds)}"' if group.kinds else ""
    move = f' transform="translate({_n(group.x)} {_n(group.y)})"' if group.x or group.y else ""
    return f"<g{name}{kinds}{move}>"


def _words(part: Words) -> str:
    anchor = "" if part.anchor is Anchor.START else f' text-anchor="{part.anchor.value}"'
    bold = ' font-weight="600"' if part.bold else ""
    return (
        f'<text class="{part.role}" x="{_n(part.x)}" y="{_n(part.y)}" '
        f'font-size="{_n(part.size)}"{anchor}{bold}>{escape(printable(part.text))}</text>'
    )


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
    """Return a coordinate in as few characters as a tenth of a point needs."""
    return f"{value:.1f}".removesuffix(".0")
