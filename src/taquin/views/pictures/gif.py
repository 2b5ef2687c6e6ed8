"""Scenes one after another as an animated GIF, with Pillow.

A GIF has one list of at most 256 colours, taken from the first scene and the last. Only what
changed since the frame before is turned into them and written.
"""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO
from typing import TYPE_CHECKING

from taquin.errors import UnsuitableError
from taquin.views.pictures.raster import raster
from taquin.views.pictures.scene import Scene

if TYPE_CHECKING:
    from PIL.Image import Image

MOST_PIXELS = 300_000_000
"""The most pixels of all frames together."""

Frame = tuple[Scene, int]
"""A scene and for how many milliseconds it stands."""


def to_gif(frames: Iterable[Frame], dark: bool | None = None, scale: float = 1.0) -> bytes:
    """Return scenes of one size as a GIF that begins again when it is over, light unless told.

    Raise MissingError without Pillow, and UnsuitableError for more than a GIF should hold.
    """
    scenes = list(frames)
    first, last = scenes[0][0], scenes[-1][0]
    pixels = first.width * first.height * scale**2
    if pixels * len(scenes) > MOST_PIXELS:
        raise UnsuitableError(
            f"{len(scenes):,} frames of {first.width * scale:,.0f} × {first.height * scale:,.0f} "
            "pixels are too many for a GIF: write an HTML file, or show less"
        )
    colours = _colours([raster(each, bool(dark), scale) for each in (first, last)])
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


def _colours(images: list[Image]) -> Image:
    """Return an image that holds the list of colours."""
    from PIL import Image

    wide = sum(image.width for image in images)
    both = Image.new("RGB", (wide, images[0].height))
    for number, image in enumerate(images):
        both.paste(image, (number * image.width, 0))
    return both.quantize(256, Image.Quantize.MEDIANCUT)


def _indexed(image: Image, colours: Image, before: Image | None, drawn: Image | None) -> Image:
    """Return an image in these colours; what is as it was before is taken from there."""
    from PIL import Image, ImageChops

    if before is None or drawn is None:
        return image.quantize(palette=colours, dither=Image.Dither.NONE)
    result = drawn.copy()
    changed = ImageChops.difference(before, image).getbbox()
    if changed is not None:
        part = image.crop(changed).quantize(palette=colours, dither=Image.Dither.NONE)
        result.paste(part, changed)
    return result
