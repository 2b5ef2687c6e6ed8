// How the page writes numbers and names.

import { locale, text } from "./messages.js";

/** Return a number with separators for thousands. @param {number} number */
export function thousands(number) {
  return Number.isFinite(number) ? number.toLocaleString(locale()) : "∞";
}

/**
 * Return a number with its noun: `1 move`, `2,000 moves`.
 * @param {number} number
 * @param {string} noun the name of a message among the units
 */
export function counted(number, noun) {
  return text(`units.${noun}`, { count: number });
}

/** Return a duration with its unit. @param {number} number */
export function seconds(number) {
  if (number < 0.001) return `${Math.round(number * 1e6)} µs`;
  if (number < 1) return `${Math.round(number * 1000)} ms`;
  if (number < 60) return `${tenths(number)} s`;
  return `${Math.floor(number / 60)} min ${Math.floor(number % 60)} s`;
}

/** Return a priority or a bound, which may be a fraction. @param {number | null} number */
export function value(number) {
  if (number === null || !Number.isFinite(number)) return "∞";
  return Number.isInteger(number) ? String(number) : tenths(number);
}

/** @param {number} number */
function tenths(number) {
  return number.toLocaleString(locale(), { minimumFractionDigits: 1, maximumFractionDigits: 1 });
}

/**
 * Return the tiles and the direction of a move: `8 left`.
 * @param {import("../puzzle/puzzle.js").Move} move
 */
export function moveName(move) {
  /** @type {Record<string, string>} */
  const names = { ".": text("puzzle.filler"), "#": text("puzzle.wall") };
  const tiles = (move.tiles ?? [move.tile]).map((tile) => names[String(tile)] ?? tile);
  return text(`puzzle.move-${move.direction}`, { tiles: tiles.join(" ") });
}

/** Return a text with its first letter in upper case. @param {string} text */
export function capitalised(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Return a list of words: `a, b and c`. @param {string[]} words */
export function listed(words) {
  // American English would put a comma before the last word.
  const language = locale() === "en" ? "en-GB" : locale();
  return new Intl.ListFormat(language).format(words);
}
