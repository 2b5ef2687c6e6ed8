// What each possible move costs: whether it is on a shortest way to the goal, or how much longer it gets.

import { element } from "./dom.js";
import { requestBody } from "./moves-left.js";
import { STEPS, line, slide } from "./puzzle.js";
import { capitalised, moveName } from "./words.js";

const WORDS = ["", "one move", "two moves", "three moves"];

/** Return the possible moves of a puzzle, each with its name and the cells after it. */
export function possibleMoves(puzzle) {
  return Object.keys(STEPS).flatMap((direction) => {
    const path = line(puzzle, direction).slice(0, puzzle.metric === "multi" ? undefined : 1);
    return path.map((_, index) => {
      const move = { direction, count: index + 1 };
      const tiles = path.slice(0, move.count).map((cell) => puzzle.cells[cell]);
      return { name: moveName({ tiles, direction }), cells: slide(puzzle, move) };
    });
  });
}

/**
 * Return how many moves longer the way gets by a move; null if that is not known. `left` are the moves
 * left before it, `answer` is what the server knows of the board after it.
 */
export function extraMoves(left, { left: after, lower_bound: least, best }, metric) {
  if (after !== null) return after + 1 - left;
  // One move changes the moves left by one at most, and a single move never leaves them as they are.
  if (best !== null && best === left - 1) return 0;
  if (least !== null && least > (metric === "multi" ? left : left - 1)) return 2;
  return null;
}

/** Return a move and its cost in words: `3 left: right on the way`. */
export function costText(name, extra) {
  if (extra === null) return `${name}: not known`;
  return `${name}: ${extra === 0 ? "right on the way" : `${WORDS[extra] ?? `${extra} moves`} more`}`;
}

/**
 * Return `{root, show(puzzle, left), stop()}`. `show` asks the server about the board after each move;
 * `left` are the moves left now, null while they are not known exactly.
 */
export function moveCosts(api) {
  const root = element("ul", { class: "move-costs", "aria-label": "What each move costs" });
  let controller = new AbortController();

  async function ask(puzzle, left, { signal }) {
    const items = [];
    for (const { name, cells } of possibleMoves(puzzle)) {
      const answer = await api.post("/api/left", requestBody({ ...puzzle, cells }), signal);
      items.push([name, extraMoves(left, answer, puzzle.metric)]);
    }
    if (!signal.aborted) draw(items);
  }

  function draw(items) {
    root.replaceChildren(...items.map(([name, extra]) => (
      element("li", { class: extra === 0 ? "good" : null }, costText(capitalised(name), extra))
    )));
  }

  function stop() {
    controller.abort();
    controller = new AbortController();
  }

  return {
    root,
    stop,
    async show(puzzle, left) {
      stop();
      root.classList.toggle("stale", left === null);
      root.hidden = left === 0;
      if (!left) return;
      // The figure beside it says what is wrong with a server that does not answer.
      await ask(puzzle, left, controller).catch(() => {});
    },
  };
}
