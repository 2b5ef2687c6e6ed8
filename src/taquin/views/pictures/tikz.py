r"""Scenes as TikZ, to be included in a LaTeX document by `\input`; it needs `\usepackage{tikz}`.

One unit is a PostScript point and y grows downwards, as in a scene.
"""

from __future__ import annotations

from collections.abc import Iterator

from taquin.errors import UnsuitableError
from taquin.system.tex import tex
from taquin.views.palette import DARK, LIGHT, Paint
from taquin.views.pictures.painting import placed, printable
from taquin.views.pictures.scene import Box, Curve, Cutting, Scene, Shape, TextLine

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
            yield f"\\path[{_look(paint)}{rounded}] {place} rectangle {far};"
        case Curve():
            start, first, second, end = (_at(x + cx, y + cy) for cx, cy in part.corners)
            yield f"\\path[{_look(paint)}] {start} .. controls {first} and {second} .. {end};"
        case Cutting():
            raise AssertionError("a scene with cuttings has a photo")


def _look(paint: Paint) -> str:
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
