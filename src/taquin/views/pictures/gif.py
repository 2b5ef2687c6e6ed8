"""Paint a sequence of scenes as an animated GIF, with Pillow.

A GIF has one palette of at most 256 colours: those of the theme, and the others from the first and
the last scene. Only the part that changed since the previous frame is converted and written.
"""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO
from math import dist, sqrt
from typing import TYPE_CHECKING

from taquin.errors import UnsuitableError
from taquin.views.palette import DARK, LIGHT
from taquin.views.pictures.raster import raster
from taquin.views.pictures.scene import Scene

if TYPE_CHECKING:
    from PIL.Image import Image

MOST_PIXELS = 300_000_000
"""The maximum number of pixels of all frames together."""

_DEFAULT_SIZE = 640
"""The default longer side in pixels, smaller if the frames would exceed `MOST_PIXELS`."""
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
    scale = max(1.0, min(_DEFAULT_SIZE / longer, sqrt(MOST_PIXELS / points) * 0.99))
    if size is not None:
        scale = size / longer
    if points * scale**2 > MOST_PIXELS:
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
