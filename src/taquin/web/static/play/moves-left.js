// How many moves are left, and what each possible move costs. The server is asked after each move, and the
// game never waits for it.

import { element } from "../page/dom.js";
import { text } from "../page/messages.js";
import { capitalised, moveName, thousands } from "../page/words.js";
import { DIRECTIONS, line, slide, writeBoard } from "../puzzle/puzzle.js";

/** A board that changes again within this many milliseconds is not sent. */
const SETTLE_MS = 150;
const MOST_REMEMBERED = 2000;
const NO_ANSWER = { left: null, lower_bound: null, best: null, move: null };

/**
 * Return `{ask(puzzle, {forHint}), stop()}`. `onAnswer` is called with null while the answer is
 * unknown, then with `{left, lower_bound, best, move}`, or with the `trouble` that there is no answer. A question for a hint is sent at
 * once, and the server may take longer to answer it.
 */
export function movesLeftQuery(api, onAnswer) {
  const remembered = new Map();
  let pending = null;
  let timer = 0;

  function stop() {
    clearTimeout(timer);
    pending?.abort();
    pending = null;
  }

  function ask(puzzle, { forHint = false } = {}) {
    stop();
    const body = requestBody(puzzle);
    const key = JSON.stringify(body);
    if (remembered.has(key)) return onAnswer(remembered.get(key));
    onAnswer(null);
    const controller = new AbortController();
    const question = forHint ? { ...body, hint: true } : body;
    timer = setTimeout(() => send(question, key, controller), forHint ? 0 : SETTLE_MS);
    pending = controller;
  }

  async function send(question, key, controller) {
    let answer = null;
    try {
      answer = await api.post("/api/left", question, controller.signal);
    } catch (error) {
      answer = { ...NO_ANSWER, trouble: error.message };
    }
    if (pending !== controller) return;
    if (remembered.size > MOST_REMEMBERED) remembered.clear();
    // An answer that is not exact may be exact the next time.
    if (answer.left !== null) remembered.set(key, answer);
    onAnswer(answer);
  }

  return { ask, stop };
}

/** Return a puzzle as the body of a request. */
export function requestBody({ cells, columns, goal, metric }) {
  return { board: writeBoard(cells, columns), goal: writeBoard(goal, columns), metric };
}

/** Return the moves left as a figure: `14`, `38–41` for a range, `≥ 38`, or a dash. */
export function movesLeftText({ left, lower_bound: least, best }) {
  if (left !== null) return thousands(left);
  if (best) return `${least ?? 0}–${best}`;
  return least ? `≥ ${least}` : "–";
}

/** Return the moves left as a sentence; an empty one if nothing is known. */
export function movesLeftSentence({ left, lower_bound: least, best, trouble = "" }) {
  if (left) return text("play.left-exactly", { count: left });
  if (best) return text("play.left-range", { best, count: least ?? 0 });
  return least ? text("play.left-least", { count: least }) : trouble;
}

// --- what each move costs ----------------------------------------------------------------------

/** Return the possible moves of a puzzle, each with its name and the cells after it. */
export function possibleMoves(puzzle) {
  return DIRECTIONS.flatMap((direction) => {
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
export function costText(move, extra) {
  if (extra === null) return text("play.cost-unknown", { move });
  return extra ? text("play.cost", { move, count: extra }) : text("play.cost-none", { move });
}

/**
 * Return `{root, show(puzzle, left), stop()}`. `show` asks the server about the board after each move;
 * `left` are the moves left now, null while they are not known exactly.
 */
export function moveCosts(api) {
  const root = element("ul", { class: "move-costs", "aria-label": text("play.costs") });
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
    root.replaceChildren(
      ...items.map(([name, extra]) =>
        element("li", { class: extra === 0 ? "good" : null }, costText(capitalised(name), extra)),
      ),
    );
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
