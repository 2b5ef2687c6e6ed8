"""A game as a page: the board as large as fits, the remaining moves, and the keys."""

from __future__ import annotations

import click

from taquin.cli.terminal import drawing
from taquin.cli.terminal.drawing import Scale, centred, flowed, keys_help, sign
from taquin.cli.terminal.game import Arrows, Game
from taquin.engine.advice import Advice
from taquin.notation import write_moves
from taquin.system.words import counted
from taquin.views.wording import move_name


def page(
    game: Game, advice: Advice | None, thinking: str, now: float, size: tuple[int, int]
) -> list[str]:
    """Return the lines of a window; `thinking` names the computation under way, if any."""
    wide, high = size
    if game.helping:
        return _help(game, wide)
    head = drawing.apart(
        click.style(f"taquin  {game.start.grid}", bold=True),
        f"{counted(len(game.moves), 'move')}   {clock(game.seconds(now))}",
        wide,
    )
    arrows, does = sign("↑↓←→", "arrows"), "move" if game.arrows is Arrows.TILE else "go"
    keys = [f"{arrows} {does}", "z undo", "y redo", "i hint", "n new", "? help", "q quit"]
    if game.is_solved:
        keys = ["n new", "z undo", "b again", "q quit"]
    news = [centred(line, wide) for line in _news(game, advice, thinking, wide)]
    foot = [*news, "", *keys_help(keys, wide)]
    left = high - len(foot) - 3
    scale = drawing.scale_for(game.board, wide, left)
    if scale is None:
        columns, rows = Scale.PLAIN.size(game.board)
        return drawing.too_small(wide, high, max(columns, 20), rows + len(foot) + 3)
    moved = game.moves[-1] if game.moves else None
    tiles = drawing.draw_tiles(game.board, scale, game.puzzle.goal, moved, game.hint)
    above = (left - len(tiles)) // 2
    board = [*[""] * above, *(centred(line, wide) for line in tiles)]
    return [head, "", *board, *[""] * (left - len(board)), "", *foot]


def plain_page(game: Game, advice: Advice | None, wide: int) -> list[str]:
    """Return the lines of a game that is played line by line."""
    if game.helping:
        return _help(game, wide)
    moved = game.moves[-1] if game.moves else None
    scale = Scale.BOXED if Scale.BOXED.size(game.board)[0] <= wide else Scale.PLAIN
    tiles = drawing.draw_tiles(game.board, scale, game.puzzle.goal, moved, game.hint)
    return [*tiles, *filter(None, _news(game, advice, "", wide))]


def clock(seconds: float) -> str:
    """Return a time as a clock shows it: 1:02:05."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _verdict(game: Game, best: Advice | None, thinking: str = "") -> str:
    """Return how a game went: the moves made against the fewest possible."""
    count = len(game.moves)
    solved = f"Solved in {counted(count, 'move')}, {clock(game.seconds(0.0))}"
    if best is None or (best.left is None and thinking):
        return f"{solved}; {thinking}…" if thinking else f"{solved}."
    if not best.is_exact:
        return f"{solved}; the shortest has at least {best.at_least:,}."
    if count == best.at_least:
        return f"{solved}: no solution is shorter."
    return f"{solved}; the shortest has {best.at_least:,}, {count - best.at_least:,} fewer."


def summary(game: Game, best: Advice | None, now: float, again: str) -> str:
    """Return what is printed after the full screen; `again` is the command that plays on."""
    if not game.moves:
        return ""
    if not game.is_solved:
        spent = f"{counted(len(game.moves), 'move')}, {clock(game.seconds(now))}"
        return f"Left after {spent}. Play on:\n{again}"
    extras = [f"{counted(game.taken_back, 'move')} taken back"] if game.taken_back else []
    extras += [counted(game.hints, "hint")] if game.hints else []
    more = f" ({', '.join(extras)})" if extras else ""
    return f"{_verdict(game, best)}{more}\n{write_moves(game.moves, game.puzzle.metric)}"


def _news(game: Game, advice: Advice | None, thinking: str, wide: int) -> list[str]:
    """Return the lines below the board: the moves left, and the message of the last key."""
    if game.typed is not None:
        return [f"tile {game.typed}_   (enter, or escape)", ""]
    if game.is_solved:
        words = _verdict(game, advice, thinking) if game.moves else "Solved as it stands."
        lines = flowed(words.split(), wide, " ")
        lines = [click.style(line, fg="green", bold=True) for line in lines]
        return [*lines, game.message] if len(lines) == 1 else lines
    left = []
    if advice and advice.is_exact:
        left, thinking = [f"{counted(advice.at_least, 'move')} left at best"], ""
    elif advice and advice.left is None:
        left = [f"at least {counted(advice.at_least, 'move')} left"]
    elif advice:
        left = [f"{advice.at_least:,} to {advice.left:,} moves left at best"]
    message = game.message
    if game.hint is not None:
        kind = "hint" if advice and advice.is_exact else "hint, not proven to be best"
        message = f"{kind}: {move_name(game.hint)}"
    return [", ".join(left + ([f"{thinking}…"] if thinking else [])), message]


def _help(game: Game, wide: int) -> list[str]:
    rows = [
        (f"{sign('↑↓←→', 'arrows')}  wasd  hjkl", f"where the {game.arrows.value} goes"),
        ("U D L R", "where the tile goes"),
        ("12", "slide tile 12, and what is between"),
        ("t NAME enter", "slide the tile of that name"),
        ("z  backspace", "take a move back"),
        ("y", "make it again"),
        ("b", "back to the beginning"),
        ("i  space", "a hint: the next move"),
        ("n", "a new board"),
        ("q", "quit"),
        ("", ""),
        ("any key", "back to the game"),
    ]
    left = max(len(key) for key, _ in rows)
    lines = [f"{key.ljust(left)}  {does}" for key, does in rows]
    if max(map(len, lines)) > wide:
        return [line for row in rows for line in flowed(filter(None, row), wide, ": ") or [""]]
    return [click.style("Keys", bold=True), "", *lines]
