"""Sentences for people that programs can recognise: a code, its parameters, and the English text.

    reason("limit-seconds", count=60)    "limit of 60 seconds", code and parameters beside it

Errors, refusals, notices and endings are such strings, so they print, compare and pickle as text.
The page translates them by their codes (`web/messages.py`, section `python` of its tables).
Parameters are numbers, names, and further reasons. `{s}`, `{ies}` and `{are}` go by `count`.
"""

from __future__ import annotations

SENTENCES = {
    # what a search found, and what is proven about it
    "unsolvable": "No solution possible: {detail}.",
    "none": "No solution found: {reason}. Any solution has at least {count:,} move{s}{parity}.",
    "ended": "Stopped: {reason}. Any solution has at least {count:,} move{s}{parity}.",
    "best": "Best so far, {reason}: {count:,} move{s}; {rest}.",
    "solved-already": "Solved as it stands: 0 moves.",
    "solved-in": "Solved in {count:,} move{s}; {rest}.",
    "shortest": "no solution is shorter",
    "shortest-checked": "no solution is shorter (checked)",
    "checked": "{rest}; {detail}",
    "at-least": "the shortest has at least {count:,}{parity}",
    "within": "the shortest has at least {count:,}{parity}: within {percent} %",
    "even-number": ", an even number",
    "odd-number": ", an odd number",
    "optimal-if": "optimal if {claim}{rest}",
    "claim-false": ", which is false ({estimate:,} > {cost:,} here)",
    "is-correct": "{name} is correct",
    "is-admissible": "{name} is admissible",
    "is-consistent": "{name} is admissible and consistent",
    "two-claims": "{claim} and {other}",
    "refuted": ", so it is wrong that {claim}",
    "not-admissible": "{name} is not admissible ({estimate:,} > {distance:,} here)",
    "longer-than-other": "{count:,} move{s} longer than another solution{rest}",
    "longer": "{count:,} move{s} longer than the optimum; {detail}",
    "longer-by": "{count:,} move{s} longer than the optimum of {distance:,}{rest}",
    "left": "{count:,} move{s} left at best.",
    "left-none": "Solved.",
    "left-least": "At least {count:,} move{s} left.",
    "left-between": "{count:,} move{s} will do, at least {least:,} are needed.",
    # why there is no solution, or that there is one
    "solved": "the start is already solved",
    "exhausted": "every reachable board was searched in vain",
    "inversions-no": "{count:,} inversion{s}: odd, the goal is even (0 inversions). Inversions are "
    "the pairs of tiles that stand in the other order in the goal, both boards read row by row; on "
    "an odd width no move changes whether their number is odd or even",
    "inversions-yes": "{count:,} inversion{s}: even, the goal is even too (0 inversions). "
    "Inversions are the pairs of tiles that stand in the other order in the goal, both boards read "
    "row by row; on an odd width no move changes whether their number is odd or even, and all "
    "boards that agree in this can be reached from each other",
    "rows-no": "{count:,} inversion{s}, blank in row {row} of {rows}: {parity}, the goal is {goal} "
    "(0 inversions, blank in row {end}). Inversions are the pairs of tiles that stand in the other "
    "order in the goal, both boards read row by row; on an even width no move changes whether "
    "their number plus the blank's row is odd or even",
    "rows-yes": "{count:,} inversion{s}, blank in row {row} of {rows}: {parity}, the goal is "
    "{goal} too (0 inversions, blank in row {end}). Inversions are the pairs of tiles that stand "
    "in the other order in the goal, both boards read row by row; on an even width no move changes "
    "whether their number plus the blank's row is odd or even, and all boards that agree in this "
    "can be reached from each other",
    "even": "even",
    "odd": "odd",
    "exchanges-yes": "{count:,} exchange{s} of two cells would turn the start into the goal, and "
    "the blank has {steps} to go, walls ignored: both {parity}. Each move is one exchange and one "
    "step, so the two numbers must be both odd or both even, and all boards that agree in this "
    "can be reached from each other",
    "exchanges-no": "{count:,} exchange{s} of two cells would turn the start into the goal, and "
    "the blank has {steps} to go, walls ignored: one {parity}, the other {other}. Each move is "
    "one exchange and one step, so the two numbers must be both odd or both even",
    "steps": "{count:,} step{s}",
    "to-end": "to end as {board}: {detail}",
    "any-end": "the blank may end in {count:,} cell{s}, none of which works; {detail}",
    "with-blank": "with the blank in {place}, {detail}",
    "where": "row {row}, column {column}",
    "with-walls": "{grid} with {count:,} wall{s}",
    "the-blank": "the blank",
    "a-filler": "a filler",
    "walled-off": "{place} is walled off from the blank: it always holds {label}, and the goal "
    "wants {wanted} there",
    "no-end": "the goal wants a tile in every cell that the blank can reach: it has nowhere to end",
    "cut-off": "the goal wants {names} among the cells that the blank can reach, but walls are in "
    "the way",
    "corridor": "the cell in {place} holds {label} and the goal wants {wanted}; no loop passes "
    "through it that could change that",
    "ring": "the tiles of the ring at {place} can only rotate: {tiles} never becomes {wanted}",
    "room-tiles": "the goal wants {names} in the room around {place}, and no loop of the blank "
    "brings them there",
    "room-odd": "{count:,} exchange{s} of two tiles would solve the room at {place}: odd, and "
    "loops of the blank through a room make an even number of exchanges",
    "twins": "{count:,} tile{s} {are} labelled {label}: exchanging two of them changes the "
    "parity, so parity is no obstacle",
    "free-cells": "the goal leaves {count:,} cell{s} to any tile: exchanging the tiles of two of "
    "them changes the parity, so parity is no obstacle",
    "in-order": "the tiles are in one line, already in the order of the goal",
    "line-order": "the tiles are in one line and cannot pass each other: {tiles} never becomes "
    "{wanted}",
    "rotates": "the tiles can rotate in their ring until they meet the goal",
    "blocks-fit": "with the blank in {place}, every room, ring and corridor between the walls "
    "contains the tiles of the goal, in an order that loops of the blank can turn into the goal's",
    # why a search ended early
    "limit-generated": "limit of {count:,} node{s} generated",
    "limit-expanded": "limit of {count:,} node{s} expanded",
    "limit-enqueued": "limit of {count:,} node{s} enqueued",
    "limit-dequeued": "limit of {count:,} node{s} dequeued",
    "limit-seconds": "limit of {count:g} second{s}",
    "limit-cpu": "limit of {count:g} second{s} of processor time",
    "limit-moves": "limit of {count:,} move{s}",
    "limit-memory": "limit of {size} of memory",
    "limit-width": "the beam of width {count:,} ran dry",
    "limit-cap": "cap of {count:,} node{s} kept",
    "limit-tries": "gave up after {count:,} tr{ies}",
    "memory": "out of memory",
    "interrupted": "interrupted",
    "stopped": "stopped on request",
    "no-board": "{reason}: no board was found in time",
    # what it does meanwhile
    "stage-loading": "loading the compiled search",
    "stage-table": "building table {name} {percent} %",
    "stage-gpu": "initialising the GPU",
    "stage-beam": "compiling the beam for the GPU",
    "stage-workers": "starting the workers",
    "stage-distance": "distance {distance}: {count:,} board{s}",
    "stage-found": "{count:,} of {wanted:,} found, {tried:,} boards tried",
    "stage-search": "preparing the search",
    "table-wait": "waiting for another process that builds table {name}",
    "table-rebuild": "rebuilding table {name}: {detail}",
    "tables-in-memory": "tables stay in memory: cannot write to {name} ({cause})",
    "tables-first": "The tables for {grid} are built first: a limit on seconds ends that, or "
    "Ctrl-C, one on nodes does not.",
    "tables-slow": "Building tables for {grid} takes about {seconds} s, too long for this limit: "
    "searching without them; taquin tables build {rows}x{columns} builds them once.",
    "tables-late": "The tables for {grid} take too long for this limit: searching without.",
    "tables-slides": "Building the tables of slides takes about {seconds} s, too long for this "
    "limit: searching without them.",
    "gpu-failed": "the GPU failed, and the processor goes on alone: {cause}",
    "memory-unknown": "The limit on memory has no effect: this system does not say what is in use.",
    "settle-rest": "No shortest solution after {count:g} s: looking for a good one in the time "
    "that is left.",
    "settle-on": "No shortest solution after {count:g} s: looking for a good one, and for better "
    "ones{advice}.",
    "settle-large": "{rows}×{columns} is too large for a shortest solution: looking for a good "
    "one{advice}.",
    "insist": "; “Optimal, however long it takes” insists",
    # errors by their kind: the page introduces the sentence
    "unreadable": "{detail}",
    "bad-board": "{detail}",
    "mismatch": "{detail}",
    "illegal-move": "{detail}",
    "own-code": "{detail}",
    "storage": "{detail}",
    "place": "line {line}, column {column}: {detail}",
    "line": "line {line}: {detail}",
    "field": "{place}: {detail}",
    "move-at": "move {number}: {detail}",
    # fields of JSON and TOML, and what they must hold
    "unexpected": "expected {expected}, found {found}",
    "whole-number": "a whole number",
    "a-number": "a number",
    "such-number": "a number such as 2 or 1.5",
    "from-to": "a number from {least:,} to {most:,}",
    "quoted": "a text in quotes",
    "true-false": "true or false",
    "keys": "keys with values",
    "one-of": "one of {names}",
    "some-texts": "a list of {least} to {most} texts",
    "moves-value": "moves as a text such as LURD, or as a list",
    "four-directions": "U, D, L and R once each",
    "no-key": "there is no such key. {guess}The keys are {names}",
    "no-key-guess": "there is no such key. Did you mean {name}?",
    "no-such": "there is no {kind} {found}. {guess}Expected one of {names}{more}",
    "guess": "Did you mean {name}? ",
    "choice": "choice",
    "algorithm": "algorithm",
    "heuristic": "heuristic",
    "more-heuristics": ", max(…, …) and sum(…, …) of them, patterns(large), or file.py:name of "
    "your own",
    "shortened": "{text}… ({count} characters)",
    "a-list": "a list",
    "an-object": "an object",
    "huge-number": "a very large number",
    "list-or-object": "a list or an object",
    "number-or-name": "a number or a name",
    "list-of-cells": "a list of cells",
    "label-range": "a number from 0 to {most} or a name",
    "size-range": "the number of {name}, from 1 to {most}",
    "size-given": "{rows}×{columns} cells as rows and columns say",
    "board-keys": "the keys rows, columns and cells",
    "none-called": "no {name}",
    "movable": "a tile that can move",
    "a-direction": "a direction, one of {names}",
    "move-object": "expected a move: an object with the keys tile and direction",
    "move-tiles": "expected tiles, a list that ends with the tile of the move",
    "mixed-list": "expected only rows or only cells, found both in one list",
    "row-empty": "row {row} has 0 cells, expected at least one",
    "key-twice": "expected each key once, found {found} twice",
    "no-json-number": "expected a number or a name, found {found}, which is not valid JSON",
    "no-json": "invalid JSON",
    "json-fault": "{detail}: {cause}",
    "json-object": "expected a JSON object",
    "json-deep": "numbers too long or lists nested too deeply",
    "json-bytes": "expected a JSON object in UTF-8",
    "json-surrogate": "expected a JSON object, found a lone surrogate in it",
    # texts that are no board, goal or moves
    "number-range": "expected a number up to {most}, found {found}",
    "not-a-tile": "expected a tile (a number, a name, 0 or _ for the blank, . for a filler, # for "
    "a wall, * for any), found {found}",
    "row-length": "row {row} has {count:,} cell{s}, expected {width} like row 1",
    "no-rows": "expected rows of cells, such as '1 2 / 3 0', found nothing",
    "no-square": "{count} cells do not form a square; {detail}",
    "cell-count": "expected {count} cells, found {found}; {detail}",
    "separate-rows": "separate rows with /",
    "row-lists": "make each row a list of its own",
    "most-cells": "expected at most {most:,} cells, found {found:,}",
    "most-lines": "expected at most {most:,} lines, found {found:,}: too many for a board",
    "most-characters": "expected at most {most:,} characters, found more: this is too long for a "
    "board",
    "bad-byte": "expected a text, found a byte that is not UTF-8",
    "bad-character": "expected a text, found the character {found}",
    "expected-board": "expected a board, such as {example}, found {reason}",
    "nothing": "nothing",
    "only-space": "only white space",
    "only-comments": "only comments",
    "only-separators": "only separators",
    "one-cell": "expected N of 2 or more on the first line, found 1: a board of one cell has no "
    "tile; two cells below each other are written 1 / 0",
    "tile-twice": "tile {tile} appears twice, first in line {line}, column {column}; {detail}",
    "tile-range": "expected the tiles 1 to {last} and the blank 0, found {tile}, which is out of "
    "range; {detail}",
    "tile-unknown": "expected the tiles 1 to {last} and the blank 0, found {found}; {detail}",
    "blank-missing": "the blank is missing",
    "tiles-missing": "tile{s} {names} {are} missing",
    "both-missing": "the blank and tile{s} {names} are missing",
    "header": "expected N, the number of rows, from 2 to {most} (it is alone above longer rows), "
    "found {found}",
    "header-row": "row {row} has {count:,} cell{s}, expected {width} as N says{hint}",
    "header-rows": "found {count:,} row{s}, expected {rows} as N says",
    "hash-comment": " (# starts a comment here)",
    "word-length": "row {row}, {found}, has {count:,} character{s}, expected {width} like row 1: "
    "one for each cell",
    "name-in-line": "expected only numbers on one line, found {found}: put / between rows to use "
    "names",
    "no-word": "expected a board, such as {example}, or one character for each cell (4, 9, 16, 25 "
    "or 36 in all), found {found}",
    "place-twice": "expected one tile at ({x},{y}), found another: {name}",
    "place-size": "expected the size of the grid before the places of its tiles, as in "
    "'4x4 A(0,3) agent(3,3)', found no size",
    "place-blank": "expected the place of the blank too, as agent(3,3), found none",
    "place-outside": "expected a place on {rows}×{columns}, counted from 0, found ({x},{y})",
    "board-blanks": "a board has one blank, found {count}",
    "goal-blanks": "a goal has one blank, found {count}",
    "board-no-blank": "a board needs one blank (0 or _), found none",
    "goal-no-blank": "a goal that names every cell needs one blank (0 or _), found none",
    "board-any": "a board cannot hold '*' (any): only a goal can",
    "all-walls": "a grid needs at least one cell that is not a wall",
    "no-cells": "expected at least one row with at least one cell, found none",
    "first-at": "{detail}, the first in line {line}, column {column}",
    "mark": "{detail}; write 0 for it if {name} in line {line}, column {column} is meant",
    "marks": "{detail}; write 0 for it if {name} in line {line}, column {column} or {other} in "
    "line {line2}, column {column2} is meant",
    "no-goal": "there is no goal {found}; expected {names}, or a board with * where any tile will "
    "do",
    "and-more": "{names} and {count} more",
    "not-moves": "expected moves: U, D, L or R, each with a number if it repeats, found {found}",
    "move-count": "expected a number from 1 to {most}, found {found}",
    "no-tile": "there is no tile {found} on this board",
    "not-a-move": "{found} is not a move: expected letters such as LURD, names such as left, or "
    "the numbers of tiles",
    "most-moves": "expected at most {most:,} moves, found more",
    "slides-more": "move {number}, '{move}', slides more than one tile",
    "not-solved": "after {count:,} move{s} the board is not solved:\n{board}",
    "not-legal": "'{move}' is not a legal move here:\n{board}",
    "way-up": "up",
    "way-down": "down",
    "way-left": "left",
    "way-right": "right",
    "slides-none": "no tile can slide {direction} here:\n{board}",
    "slides-few": "only {count:,} tile{s} can slide {direction} here, not {wanted:,}:\n{board}",
    "slides-least": "expected 1 tile or more to slide {direction}, found {found}:\n{board}",
    "push": "{text}: {detail}; what can move there: {names}",
    "push-twice": "several tiles are called {tile}",
    "push-none": "no tile can go {direction}",
    "push-way": "tile {tile} cannot go {direction}",
    "push-beside": "tile {tile} is not beside the blank",
    "push-line": "tile {tile} is not in line with the blank",
    # a start and a goal that do not fit together
    "sizes": "the start is {start} and the goal {goal}: they must have the same size",
    "wall-of-start": "the start has a wall in row {row}, column {column} and the goal has none: "
    "walls must be the same",
    "wall-of-goal": "the goal has a wall in row {row}, column {column} and the start has none: "
    "walls must be the same",
    "goal-tiles": "the goal asks for {names} and the start has no such tile{s}{others}; give a "
    "goal with the tiles of the start",
    "instead": " (it has {names} instead)",
    "label-missing": "the goal contains {tile}, which is missing from the labels",
    "labels-left": "{count:,} label{s} {are} left for the {cells:,} ANY cells of the goal: give "
    "one label for each cell that is not a wall",
    "goal-size": "the goal is {goal}, not {rows}×{columns}",
    # why an engine or a heuristic does not fit
    "engine-unfit": "the engine {name} cannot do this: {detail}",
    "no-engine": "no engine can do this: {detail}",
    "no-kernels": "there is no compiled code for {name}: only engines in pure Python run here",
    "own-search": "it always runs its own search, not {name}",
    "counts-nothing": "it counts no nodes, so a limit on them means nothing to it",
    "few-nodes": "it is for searches of {most:,} nodes and more",
    "no-slides": "it counts single-tile moves, the metric single, and not slides",
    "classic-cells": "it serves classic puzzles of up to {most} cells, and this has {cells:,}",
    "classic-only": "it serves classic puzzles only: at least 2×2, no walls, every tile different, "
    "every cell of the goal named",
    "grid-cells": "it serves grids of up to {most:,} cells",
    "board-cells": "it serves boards of up to {most:,} cells",
    "names-only": "it runs searches by name, and none is named",
    "single-moves": "it runs {name} for single moves only",
    "keeps-no-boards": "it keeps no boards in mind, as {name} does",
    "no-depth-here": "it has no limit on depth for {name} on this puzzle",
    "no-depth": "it has no limit on depth for {name}",
    "unknown-search": "it does not know {name}",
    "search-classic": "it runs {name} on classic puzzles of up to {most} cells only",
    "conventions": "it does not know the conventions of {name}",
    "goal-test": "it tests for the goal on expansion only, not as {name} does",
    "no-order": "it orders no successors, as {name} does",
    "shared-labels": "it needs a goal in which no two tiles share a label",
    "heuristic-classic": "it supports {name} on classic puzzles only",
    "heuristic-lines": "it supports {name} on lines of up to {most} cells",
    "heuristic-large": "{name} has too many positions on {grid}",
    "heuristic-unknown": "it does not know the heuristic {name}",
    "patterns-classic": "patterns needs a classic puzzle: 2×2 to 25 cells, no walls, every tile "
    "different, every cell of the goal named",
    "walking-large": "walking distance needs a table of more than {most:,} positions on {grid}; "
    "use linear-conflict there, or a smaller grid",
    "to-the-start": "a bidirectional search needs estimates to the start too, but {name} supports "
    "one goal only; use a heuristic such as manhattan, or a search from the start",
    "goal-open": "{count:,} board{s} meet this goal, too many for a search from the goal; name "
    "more cells of the goal, or use a search that begins at the start only",
    "no-sum": "{name}() needs at least one heuristic, found none",
    # texts that are no search, and options that it does not take
    "a-search": "a search",
    "a-heuristic": "a heuristic",
    "an-option": "an option",
    "a-name": "a name",
    "nothing-more": "nothing more",
    "the-end": "the end",
    "long-text": "a text of {count:,} character{s}",
    "within-text": "{detail} in {text}",
    "one-heuristic": "expected one heuristic in {text}",
    "no-arguments": "only max(…), sum(…), patterns(…) and user code take arguments, found {found}",
    "pattern-groups": "expected small, medium, large, a picture such as AAB/AAB/CC. or groups of "
    "tiles such as [1 2 5 6], found {found}",
    "pattern-need": "patterns needs {expected}, found {found}",
    "pattern-names": "{names}, a picture or groups of tiles",
    "pattern-empty": "at least one tile in each group",
    "pattern-once": "groups that hold a tile at most once and never the blank",
    "pattern-most": "groups of at most {most} tiles",
    "nested": "heuristics may be nested at most {most} deep, found more in {text}",
    "option-twice": "option {name} is given twice in {text}",
    "no-option": "{name} does not support {option}; it takes {names}",
    "no-option-guess": "{name} does not support {option}. Did you mean {guess}? It takes {names}",
    "no-value": "{name} does not support {option} '{found}'; it supports: {names}",
    "option-value": "expected {expected} for {name}, found {found}",
    "option-least": "{name} must be at least {least}, got {found}",
    "option-finite": "{name} must be finite, got {found}",
    "option-positive": "{name} must be above 0 and finite, got {found}",
    "annealing": "temperature must be above 0 and cooling between 0 and 1, got {temperature} and "
    "{cooling}",
    "bumps": "bumps, the counting of steps into walls, needs duplicates=dequeue",
    "no-file": "there is no file {name}",
    "file-name": "expected {name}:name for a function of {name}{more}",
    "no-user-code": "requests cannot run user code, found {found}: use taquin solve, trace or "
    "compare at the command line",
    "only-small": "requests can use only the tables patterns(small), found {found}",
    "no-function": "expected a function of a board: def {name}(board): …",
    # random boards
    "blank-stuck": "the blank cannot move:\n{board}",
    "no-draw": "none of {count:,} random board{s} can be solved: the walls of this grid leave too "
    "few; use a random walk from the goal instead",
    "moves-or-distance": "choose one of moves and distance",
    "walks-failed": "{tries:,} random walks in a row found no new board of {grid} that needs "
    "{count:,} move{s}: such boards are too rare; give a smaller depth",
    "distance-far": "no board of {grid} needs {count:,} move{s} to this goal; the greatest "
    "distance is at most {most}",
    "distance-few": "{grid} has only {boards} that need exactly {count:,} move{s}; ask for no more "
    "than that",
    "boards": "{count:,} board{s}",
    # files
    "picture-pixels": "the picture would have {width:,} × {height:,} pixels, and more than "
    "{most:,} are too many: write an SVG file, or show less",
    "picture-boards": "a picture holds at most {most:,} boards: {advice}",
    "write-gif": "write a GIF or an HTML file instead",
    "gif-moves": "a GIF shows at most {most:,} moves, found {found:,}: write an HTML file",
    "not-installed": "{need}, which is not installed: {command}",
    "no-picture": "{detail}; SVG and HTML need nothing",
    "need-pillow": "a PNG or GIF picture needs Pillow",
    "need-cupy": "it needs CuPy: {command}, or cuda12 for a driver before 580",
    "no-gpu": "it finds no CUDA GPU that CuPy can use ({cause})",
    # what the server, or Python in the browser, cannot do
    "too-large": "expected a board of at most {count:,} cell{s}, found {rows}×{columns}",
    "text-board": "expected a board: {example}, or its rows as lists",
    "no-study": "there is no study {found}; /api/studies lists them",
    "no-records": "{name} has no records yet: run {command}",
    "no-address": "unknown address; docs/api.md lists all",
    "no-method": "method not allowed at this address; docs/api.md lists the methods",
    "other-host": "the Host of the request is not a name of this server",
    "other-site": "the request comes from a page of another site ({header})",
    "slow-body": "the body took too long to arrive",
    "large-body": "expected a body of at most {most:,} bytes, found more",
    "no-download": "a public server does not download Python for its visitors: run “taquin serve” "
    "without --public on its machine, and download it in the tab Code",
    "download-stopped": "the download was stopped",
    "download-unwritable": "Python for the browser cannot be written to {folder}: {cause}; set "
    "the environment variable TAQUIN_CACHE to another cache folder",
    "download-registry": "npm_config_registry must begin with https:// or http://, got {found}",
    "download-failed": "Python for the browser could not be downloaded from {host}: {cause}; "
    "check the network and try again",
    "download-other": "the file from {host} is not npm's {package}{more}",
    "download-digest": ": {name} has another SHA-256",
    "busy": "as many searches as this server takes are running and waiting: try again in some "
    "seconds",
    "broken": "the search was ended: {reason}",
    "too-slow": "it took longer than the server allows",
    "killed": "its process was killed (SIGKILL), perhaps out of memory",
    "crashed": "its process crashed ({name})",
    "exited": "its process ended ({name})",
    "closed": "its process closed its output",
    "server-only": "this needs a server: install taquin and run “taquin serve”",
    "internal": "internal error: {detail}",
}
"""The English sentence of each code."""
_ONE = {"s": "", "ies": "y", "are": "is"}
_MANY = {"s": "s", "ies": "ies", "are": "are"}


class Reason(str):
    """A sentence with its code and parameters; both are empty if it has no code."""

    __slots__ = ("code", "parameters")
    code: str
    parameters: dict[str, object]

    def __new__(
        cls, sentence: str, code: str = "", parameters: dict[str, object] | None = None
    ) -> Reason:
        """Return a sentence; one that is a reason already stays as it is."""
        if isinstance(sentence, Reason):
            return sentence
        self = super().__new__(cls, sentence)
        self.code, self.parameters = code, parameters or {}
        return self


def reason(code: str, /, **parameters: object) -> Reason:
    """Return the sentence of a code.

    >>> told = reason("limit-seconds", count=60)
    >>> told, told.code, told.parameters
    ('limit of 60 seconds', 'limit-seconds', {'count': 60})
    """
    endings = _ONE if parameters.get("count") == 1 else _MANY
    return Reason(SENTENCES[code].format(**endings, **parameters), code, parameters)
