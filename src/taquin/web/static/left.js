// How many moves are left: asked of the server after each move, and never waited for.

import { writeBoard } from "./puzzle.js";

/** A board that stands for less than this many milliseconds is not asked about. */
const SETTLE_MS = 150;
const MOST_REMEMBERED = 2000;

/**
 * Return `{ask(puzzle), stop()}`; `tell` hears `null` while nothing is known, then the answer
 * `{left, lower_bound, move, sentence}`, or `{error}` with the server's sentence.
 */
export function leftAsker(api, tell) {
  const remembered = new Map();
  let waiting = null;

  const stop = () => {
    clearTimeout(waiting?.timer);
    waiting?.abort();
    waiting = null;
  };

  const ask = (puzzle) => {
    stop();
    const body = questionOf(puzzle);
    const key = JSON.stringify(body);
    if (remembered.has(key)) return tell(remembered.get(key));
    tell(null);
    const turn = new AbortController();
    turn.timer = setTimeout(() => fetchAnswer(body, key, turn), SETTLE_MS);
    waiting = turn;
  };

  async function fetchAnswer(body, key, turn) {
    try {
      const answer = await api.post("/api/left", body, { signal: turn.signal });
      if (remembered.size > MOST_REMEMBERED) remembered.clear();
      // What was not known in time may be known the next time.
      if (answer.left !== null) remembered.set(key, answer);
      if (waiting === turn) tell(answer);
    } catch (error) {
      if (waiting === turn) tell({ left: null, lower_bound: null, move: null, error: error.message });
    }
  }

  return { ask, stop };
}

/** Return a puzzle as the body of a request. */
export function questionOf({ cells, columns, goal, metric }) {
  return { board: writeBoard(cells, columns), goal: writeBoard(goal, columns), metric };
}
