// How many moves are left: asked of the server after each move, and never waited for.

import { writeBoard } from "./puzzle.js";

/** A board that stands for less than this many milliseconds is not asked about. */
const SETTLE_MS = 150;
const MOST_REMEMBERED = 2000;
const NOTHING = { left: null, lower_bound: null, best: null, move: null };

/**
 * Return `{ask(puzzle, {forHint}), stop()}`; `tell` hears null while nothing is known, then the
 * answer `{left, lower_bound, best, move, sentence}`. A question for a hint is put at once, and the
 * server takes longer over it where it must.
 */
export function leftAsker(api, tell) {
  const remembered = new Map();
  let waiting = null;
  let timer = 0;

  function stop() {
    clearTimeout(timer);
    waiting?.abort();
    waiting = null;
  }

  function ask(puzzle, { forHint = false } = {}) {
    stop();
    const body = questionOf(puzzle);
    const key = JSON.stringify(body);
    if (remembered.has(key)) return tell(remembered.get(key));
    tell(null);
    const turn = new AbortController();
    const question = forHint ? { ...body, hint: true } : body;
    timer = setTimeout(() => put(question, key, turn), forHint ? 0 : SETTLE_MS);
    waiting = turn;
  }

  async function put(question, key, turn) {
    let answer = null;
    try {
      answer = await api.post("/api/left", question, { signal: turn.signal });
    } catch (error) {
      answer = { ...NOTHING, sentence: error.message };
    }
    if (waiting !== turn) return;
    if (remembered.size > MOST_REMEMBERED) remembered.clear();
    // What was not known in time may be known the next time.
    if (answer.left !== null) remembered.set(key, answer);
    tell(answer);
  }

  return { ask, stop };
}

/** Return a puzzle as the body of a request. */
export function questionOf({ cells, columns, goal, metric }) {
  return { board: writeBoard(cells, columns), goal: writeBoard(goal, columns), metric };
}

/** Return the moves left as a figure: `14`, `38–41` when that much is known, `≥ 38`, or a dash. */
export function leftText({ left, lower_bound: least, best }) {
  if (left !== null) return String(left);
  if (best) return `${least ?? 0}–${best}`;
  return least ? `≥ ${least}` : "–";
}
