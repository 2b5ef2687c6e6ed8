// How many moves are left: the server is asked after each move, and the game never waits for it.

import { writeBoard } from "./puzzle.js";

/** A board that changes again within this many milliseconds is not asked about. */
const SETTLE_MS = 150;
const MOST_REMEMBERED = 2000;
const NO_ANSWER = { left: null, lower_bound: null, best: null, move: null };

/**
 * Return `{ask(puzzle, {forHint}), stop()}`. `onAnswer` is called with null while the answer is
 * unknown, then with `{left, lower_bound, best, move, sentence}`. A question for a hint is sent at
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
      answer = { ...NO_ANSWER, sentence: error.message };
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
  if (left !== null) return String(left);
  if (best) return `${least ?? 0}–${best}`;
  return least ? `≥ ${least}` : "–";
}
