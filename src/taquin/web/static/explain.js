// Where the numbers of a board come from: the distance of each tile, h and f as sums.

import { FURTHER } from "./further-searches.js";
import { BLANK, FILLER, WALL } from "./puzzle.js";
import { readSearch } from "./search-text.js";
import { counted, value } from "./words.js";

/** The share of each tile in an estimate that is a sum over tiles. */
const SHARES = {
  manhattan: (distance) => distance,
  misplaced: (distance) => Number(distance > 0),
};
const BY_ESTIMATE = ["greedy", "capped-beam", "beam"];

/**
 * Return for each cell how many steps its tile is from its goal cell, if nothing were in its way; null
 * for the blank, walls, and tiles without a goal cell of their own.
 */
export function tileDistances({ cells, columns }, goal) {
  return cells.map((label, cell) => {
    const home = goal.indexOf(label);
    const isOwn = home >= 0 && home === goal.lastIndexOf(label) && cells.indexOf(label) === cells.lastIndexOf(label);
    if (!isOwn || [BLANK, WALL, FILLER].includes(label)) return null;
    return Math.abs((cell % columns) - (home % columns)) + Math.abs(Math.floor(cell / columns) - Math.floor(home / columns));
  });
}

/**
 * Return the numbers of the current board: `marks`, the share of each cell's tile in the estimate, and
 * `lines`, the sums as text. `goal` are the cells of the goal, or null.
 */
export function explained(model, goal) {
  const { current: node, header } = model;
  const { heuristic, options } = readSearch(header.algorithm ?? "");
  const name = heuristic ?? options["scored-by"] ?? null;
  const lines = [priorityLine(node, model, options)];
  if (!name || !goal || node.side === "goal") return { marks: null, lines };
  const shares = tileDistances(node, goal).map((distance) => (
    distance === null ? null : (SHARES[name] ?? SHARES.manhattan)(distance)
  ));
  return { marks: shares, lines: [...estimateLines(shares, node, name), ...lines] };
}

function estimateLines(shares, node, name) {
  const terms = shares.flatMap((share, cell) => (share ? [[node.cells[cell], share]] : []));
  const sum = terms.reduce((total, [, share]) => total + share, 0);
  const tiles = terms.map(([label, share]) => `tile ${label}: ${share}`).join(", ");
  const written = terms.length > 1 ? `${terms.map(([, share]) => share).join(" + ")} = ${sum}` : String(sum);
  const parts = name === "misplaced" ? `${counted(terms.length, "tile")} out of place` : tiles;
  if (sum === node.h) return [`h = ${written}${parts && ` (${parts})`}.`];
  return [`h = ${value(node.h)}. The distances of the tiles alone: ${written}${tiles && ` (${tiles})`}.`];
}

function priorityLine(node, { order, bound }, options) {
  const { g, h, f } = node;
  if (order.name in FURTHER) return FURTHER[order.name].numbers(node, options);
  const within = order.isPath && bound !== null && Number.isFinite(bound) ? `, and the bound is ${value(bound)}` : "";
  if (["astar", "idastar"].includes(order.name)) return `f = g + h = ${g} + ${h} = ${value(f)}${within}.`;
  if (order.name === "wastar") return `f = g + w · h = ${g} + ${options.weight} · ${h} = ${value(f)}.`;
  if (BY_ESTIMATE.includes(order.name)) return `f = h = ${h}; g = ${g} does not count.`;
  if (order.name === "rbfs") {
    return f === g + h ? `f = g + h = ${g} + ${h} = ${value(f)}.`
      : `f = ${value(f)}, remembered from below; g + h = ${g} + ${h} = ${g + h}.`;
  }
  if (order.sortsSiblings) return `g = ${g} decides, and among siblings h = ${h}.`;
  return `g = ${g}${within || ": only the moves made count"}.`;
}
