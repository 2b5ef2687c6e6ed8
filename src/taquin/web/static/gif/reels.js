// What the frames of a GIF look like: a solution move by move, and the lanes of a race.

import { readColours } from "../page/appearance.js";
import { thousands } from "../page/words.js";
import { fromRows } from "../puzzle/puzzle.js";
import { paintBoard } from "../trace/tree-paint.js";

const FONT = "system-ui, sans-serif";
const MARGIN = 14;
const LINE = 22;
/** The longer side of a board, in pixels. */
const [LARGE, SMALL] = [440, 190];
/** Milliseconds of the first frame, of the others, and of the last. */
const [FIRST_MS, LAST_MS] = [900, 2500];

/** @import { Reel } from "./encode.js" */

/**
 * Return the film of a solution; `caption(number)` is the text below the board after `number` moves.
 * @returns {Reel}
 */
export function solutionReel({ boards, moves, columns, caption }) {
  const colours = readColours();
  const rows = boards[0].length / columns;
  const cell = Math.floor(LARGE / Math.max(rows, columns));
  const width = Math.max(260, columns * cell + 2 * MARGIN);
  const height = rows * cell + 2 * MARGIN + LINE + 8;
  const last = boards.length - 1;
  const pace = last > 60 ? 200 : 450;
  return {
    name: "taquin",
    size: [width, height],
    total: boards.length,
    ms: (index) => (index === last ? LAST_MS : index === 0 ? FIRST_MS : pace),
    paint(context, index) {
      fill(context, colours.page, 0, 0, width, height);
      const node = { cells: boards[index], columns, move: index ? moves[index - 1] : null };
      tray(context, colours, node, cell, (width - columns * cell) / 2, MARGIN);
      write(context, caption(index), {
        at: [width / 2, height - MARGIN],
        colour: colours.ink,
        font: `600 16px ${FONT}`,
        most: width - MARGIN,
      });
    },
  };
}

/**
 * Return the film of a race. `frames` are the runners of each frame, `lanes(runners)` returns for each lane its
 * `{title, status, colour, bars: {name, value, largest}[]}`; `frameMs` is the time between two frames.
 * @returns {Reel}
 */
export function raceReel({ frames, lanes, frameMs }) {
  const colours = readColours();
  const sizes = frames[0].map(({ board }) => Math.max(board.length, board[0].length));
  const cell = Math.floor(SMALL / Math.max(...sizes));
  const rows = Math.max(...frames[0].map(({ board }) => board.length));
  const lane = SMALL + 3 * MARGIN;
  const [width, height] = [lane * sizes.length + MARGIN, rows * cell + 7 * LINE + 2 * MARGIN];
  const last = frames.length - 1;
  return {
    name: "taquin-race",
    size: [width, height],
    total: frames.length,
    ms: (index) => (index === last ? LAST_MS : frameMs(index)),
    paint(context, index) {
      fill(context, colours.page, 0, 0, width, height);
      for (const [at, shown] of lanes(frames[index]).entries()) {
        const { cells, columns } = fromRows(frames[index][at].board);
        const left = MARGIN + at * lane;
        const middle = left + (lane - MARGIN) / 2;
        const most = lane - 2 * MARGIN;
        const words = (text, y, weight, colour) =>
          write(context, text, { at: [middle, y], colour, font: `${weight} 14px ${FONT}`, most });
        words(shown.title, MARGIN + LINE - 6, 600, colours.ink);
        const top = MARGIN + LINE + 4;
        tray(context, colours, { cells, columns }, cell, middle - (columns * cell) / 2, top);
        let y = top + rows * cell + LINE + 6;
        for (const bar of shown.bars) {
          paintBar(context, colours, bar, left, y, lane - MARGIN);
          y += LINE;
        }
        for (const line of shown.status) {
          y += LINE - 4;
          words(line, y, 600, colours[shown.colour]);
        }
      }
    },
  };
}

function paintBar(context, colours, { name, value, largest }, left, y, width) {
  const small = `12px ${FONT}`;
  write(context, name, { at: [left, y], colour: colours.note, font: small, align: "left" });
  const at = [left + width, y];
  write(context, thousands(value), { at, colour: colours.ink, font: small, align: "right" });
  const [start, length] = [left + 74, width - 74 - 52];
  fill(context, colours.tray, start, y - 9, length, 9);
  fill(context, colours.accent, start, y - 9, (length * value) / largest, 9);
}

function tray(context, colours, node, cell, x, y) {
  const rows = node.cells.length / node.columns;
  fill(context, colours.tray, x - 5, y - 5, node.columns * cell + 10, rows * cell + 10);
  paintBoard(context, { colours, card: { cell }, scale: 1 }, node, x, y);
}

function fill(context, colour, x, y, width, height) {
  context.fillStyle = colour;
  context.fillRect(x, y, width, height);
}

/** Write a text at `at`; one that is wider than `most` is squeezed. */
function write(context, words, { at, colour, font, most = undefined, align = "center" }) {
  context.font = font;
  context.fillStyle = colour;
  context.textAlign = align;
  context.fillText(words, at[0], at[1], most);
}
