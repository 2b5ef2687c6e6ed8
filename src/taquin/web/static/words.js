// How the page says numbers and things.

const NUMBER = new Intl.NumberFormat("en");

/** Return a whole number with its thousands apart. */
export function thousands(number) {
  return Number.isFinite(number) ? NUMBER.format(number) : "∞";
}

/** Return how many of a thing there are: `1 move`, `2,000 moves`. */
export function counted(number, thing, things = `${thing}s`) {
  return `${thousands(number)} ${number === 1 ? thing : things}`;
}

/** Return seconds as people say them. */
export function seconds(number) {
  if (number < 0.001) return `${Math.round(number * 1e6)} µs`;
  if (number < 1) return `${Math.round(number * 1000)} ms`;
  if (number < 60) return `${number.toFixed(1)} s`;
  return `${Math.floor(number / 60)} min ${Math.floor(number % 60)} s`;
}

/** Return a priority or bound, which need not be whole. */
export function value(number) {
  return Number.isInteger(number) ? String(number) : Number.isFinite(number) ? number.toFixed(1) : "∞";
}

/** Return which tiles go where. */
export function moveName(move) {
  const names = { ".": "filler", "#": "wall" };
  const tiles = (move.tiles ?? [move.tile]).map((tile) => names[tile] ?? tile);
  return `${tiles.join(" ")} ${move.direction}`;
}

/** Return a sentence's beginning in capitals. */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Return words in a row: `a, b and c`. */
export function listed(words) {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}
