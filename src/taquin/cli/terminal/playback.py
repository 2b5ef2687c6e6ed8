"""Play something step by step: forward, back, at any speed, to any number.

A film numbers its pages from 0 and computes them on demand: it may not know yet how many there are.
The player decides which page is wanted, and shows the page that the film has reached.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from time import monotonic
from typing import Protocol

import click

from taquin.cli.terminal.drawing import apart, bar, flowed, keys_help, sign, too_small
from taquin.cli.terminal.fullscreen import Terminal
from taquin.cli.terminal.keys import GONE
from taquin.system.words import counted

RATES = (0.5, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024)
"""Steps a second."""
_USUAL_RATE = 2
_FRAME = 1 / 30
"""The least seconds between two pages."""
_SLICE = 0.05
"""Seconds that a film may take before keys are looked at again."""
_LAST = sys.maxsize
"""More pages than any film has."""
_JUMPS = (
    dict.fromkeys(("right", "l", "n", "enter"), 1)
    | dict.fromkeys(("left", "h", "p", "backspace"), -1)
    | {"page-down": 10, "page-up": -10, "end": _LAST, "G": _LAST, "home": -_LAST, "g": -_LAST}
)
"""How many pages forward a key goes."""


class Film(Protocol):
    """A sequence of pages that can be played."""

    title: str
    """The heading of every page."""
    last: int | None
    """The number of the last page; None while it is unknown."""

    def seek(self, number: int, seconds: float) -> int:
        """Compute a page within `seconds`; return its number, or the nearest one reached."""

    def lines(self, number: int, wide: int, high: int) -> list[str] | tuple[int, int]:
        """Return a computed page for a window; if it does not fit, its least columns and lines."""

    def note(self, number: int) -> str:
        """Return a remark on a page, such as that earlier steps are not kept."""
        return ""


@dataclass(slots=True)
class Player:
    """Which page is shown, which is wanted, and the speed."""

    playing: bool = False
    at: int = 0
    """The page that is shown."""
    wanted: int = 0
    """The page to get to."""
    rate: int = _USUAL_RATE
    """Which of the speeds."""
    due: float = 0.0
    """The time of the next step."""
    typed: str = ""
    """The typed digits of a number."""

    @property
    def is_seeking(self) -> bool:
        """Whether the wanted page is not reached yet."""
        return self.wanted != self.at

    def run(self, now: float) -> None:
        """Advance the wanted page by the time that has passed."""
        if not self.playing or self.is_seeking or now < self.due:
            return
        pace = 1 / RATES[self.rate]
        # After a pause of any kind the player does not catch up.
        steps = 1 + int(min(now - self.due, _FRAME * 2) / pace)
        self.wanted = self.at + steps
        self.due = max(self.due + steps * pace, now)

    def reached(self, number: int, last: int | None) -> None:
        """Note how far the film got."""
        self.at = number
        if last is not None and number >= last:
            self.wanted = number
            self.playing = False

    def press(self, key: str, now: float) -> bool:
        """Handle a key; return whether to go on."""
        if key in ("q", "escape", GONE) and not (key == "escape" and self.typed):
            return False
        # Any key stops a long seek.
        self.wanted = self.at
        if key.isdecimal() and key.isascii():
            self.typed = (self.typed + key)[:12]
            self.playing = False
            return True
        typed, self.typed = self.typed, ""
        match key:
            case "backspace" if typed:
                self.typed = typed[:-1]
            case "enter" if typed:
                self.wanted, self.playing = int(typed), False
            case "+" | "=" | "up":
                self.rate = min(self.rate + 1, len(RATES) - 1)
            case "-" | "down":
                self.rate = max(self.rate - 1, 0)
            case "space":
                self.playing = not self.playing
                self.due = now
            case _ if key in _JUMPS:
                self.wanted, self.playing = max(0, self.at + _JUMPS[key]), False
        return True

    def patience(self, now: float) -> float | None:
        """Return how long to wait for a key before the next page; None without limit."""
        if self.is_seeking:
            return 0.0
        if not self.playing:
            return None
        return max(self.due - now, _FRAME if RATES[self.rate] > 1 / _FRAME else 0.0)


def watch(film: Film, terminal: Terminal, *, playing: bool = False) -> None:
    """Play a film until the user quits."""
    player = Player(playing, due=monotonic() + 1 / RATES[_USUAL_RATE])
    film.seek(0, _SLICE)
    while True:
        player.run(monotonic())
        player.reached(film.seek(player.wanted, _SLICE), film.last)
        terminal.draw(page(film, player, terminal.size))
        key = terminal.key(player.patience(monotonic()))
        if key is not None and not player.press(key, monotonic()):
            return


def page(film: Film, player: Player, size: tuple[int, int]) -> list[str]:
    """Return the lines of a window of `size` columns and lines."""
    wide, high = size
    enter = sign("↵", " enter")
    where = f"step {player.at:,}" + (f" of {film.last:,}" if film.last is not None else "")
    if player.typed:
        where = f"to step {player.typed}_ {enter.strip()}"
    head = apart(click.style(film.title, bold=True), where, wide)
    keys = [
        f"{sign('← →', 'left right')} step",
        "space pause" if player.playing else "space play",
        "+ - speed",
        f"home end 7{enter} jump",
        "q quit",
    ]
    foot = [_progress(film, player, wide), "", *keys_help(keys, wide)]
    left = high - len(foot) - 3
    body = film.lines(player.at, wide, left)
    if isinstance(body, tuple):
        return too_small(wide, high, max(20, body[0]), body[1] + len(foot) + 3)
    return [head, "", *body[:left], *[""] * (left - len(body)), "", *foot]


def _progress(film: Film, player: Player, wide: int) -> str:
    rate = RATES[player.rate]
    speed = f"{counted(int(rate), 'step')} a second" if rate >= 1 else "1 step in 2 seconds"
    state = f"{'playing' if player.playing else 'paused'}, {speed}"
    if player.is_seeking:
        state = "seeking; any key stops"
    if note := film.note(player.at):
        state = f"{state}; {note}"
    if film.last is None:
        return click.style(flowed([state], wide)[0], dim=True)
    left = max(4, min(30, wide - len(state) - 3))
    return f"{bar(player.at, film.last, left)}  {click.style(state, dim=True)}"
