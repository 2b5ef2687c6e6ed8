"""The options of commands that draw a picture."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from taquin.cli.command import Decorator, gathered, int_option, option
from taquin.cli.screen import is_terminal, say, status_line

if TYPE_CHECKING:
    from taquin import Grid
    from taquin.views.pictures.drawings import Drawing
    from taquin.views.pictures.scene import Photo

FORMATS = ("svg", "png", "pdf", "gif", "html", "tex")
_TEXTS = ("svg", "html", "tex", "dot")
"""Text formats, which may be printed to a terminal."""


@dataclass(frozen=True, slots=True)
class PictureOptions:
    """The picture to draw, and the file; None for the default of the format."""

    file: str | None = None
    """A file name; `-` for standard output."""
    kind: str | None = None
    """One of `FORMATS`; None for that of the file name."""
    dark: bool | None = None
    photo: str | None = None
    size: int | None = None

    @property
    def is_wanted(self) -> bool:
        """Whether a picture is requested; raise UsageError if it cannot be drawn."""
        wanted = self.file is not None or self.kind is not None
        if wanted:
            self.chosen()
        elif self.dark is not None or self.photo is not None or self.size is not None:
            options = "--dark, --light, --photo and --size"
            raise click.UsageError(f"{options} require a picture: give -o FILE")
        return wanted

    @property
    def takes_output(self) -> bool:
        """Whether the picture is written to standard output, which nothing else may use then."""
        return self.file == "-" or (self.file is None and self.kind is not None)

    def chosen(self, formats: tuple[str, ...] = FORMATS) -> str:
        """Return the format, svg by default; raise UsageError if it cannot be written there."""
        form = self.kind or os.path.splitext(self.file or "")[1].lstrip(".").lower() or "svg"
        if form not in formats:
            endings = f".{', .'.join(formats[:-1])} or .{formats[-1]}, or --format"
            raise click.UsageError(f"cannot write {self.file!r}: its name must end in {endings}")
        if self.size is not None and form not in ("png", "gif"):
            raise click.UsageError(f"--size is for png and gif; {form} is sharp at any size")
        if self.file is None and self.kind is None and is_terminal(sys.stdout):
            raise click.UsageError(f"a terminal cannot show a picture: give -o FILE.{form}")
        if self.takes_output and form not in _TEXTS and is_terminal(sys.stdout):
            raise click.UsageError(f"a terminal cannot show {form.upper()}: give -o FILE")
        return form

    def photo_on(self, grid: Grid) -> Photo | None:
        """Return the photo for the tiles of a grid, if there is one."""
        if self.photo is None:
            return None
        from taquin.views.pictures.scene import MOST_BYTES, photo_of

        with open(self.photo, "rb") as file:
            return photo_of(file.read(MOST_BYTES + 1), self.photo, grid)

    def draw(self, drawing: Drawing) -> None:
        """Draw a picture and write it to its destination."""
        from taquin.views import painted

        with status_line("drawing"):
            content = painted(drawing, self.chosen(), self.dark, self.size)
        self.write(content)

    def write(self, content: bytes) -> None:
        """Write a picture to its destination, complete or not at all."""
        if self.file is None or self.file == "-":
            click.echo(content, nl=False)
        else:
            write_file(self.file, content)


def write_file(name: str, content: bytes) -> None:
    """Write a file, complete or not at all, and print its name."""
    from taquin.system.files import atomic_write

    with atomic_write(name) as file:
        file.write(content)
    say(f"Written to {name}")


_photo_option = option("Picture", "--photo FILE", "Cut this PNG or JPEG into the tiles.")


def picture_options(*formats: str, photo: bool = True) -> Decorator:
    """Return a decorator that adds `picture` to a command, with additional `formats`."""
    every = (*FORMATS, *formats)
    endings = f".{', .'.join(every)}"
    return gathered(
        PictureOptions,
        "picture",
        option(
            "Picture", "--output -o FILE file", f"Draw to a file: {endings}; - for standard output."
        ),
        option(
            "Picture",
            "--format NAME kind",
            f"{', '.join(every)}.  [default: by FILE, else svg]",
            one_of=every,
        ),
        option(
            "Picture",
            "--dark/--light dark",
            "The colour scheme.  [default: SVG and HTML follow the reader's, others are light]",
            default=None,
        ),
        int_option(
            "Picture",
            "--size",
            "The longer side of a png or gif in pixels.  [default: 2 per point, gif 640]",
            least=64,
            most=8000,
        ),
        *([_photo_option] if photo else []),
    )
