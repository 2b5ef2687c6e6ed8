// The board on the table, for the views that do not play it: read it, and put another there.

import { button, element } from "./dom.js";
import { newBoardCard } from "./new-board.js";
import { PuzzleError, fromRows, puzzleOf, writeBoard } from "./puzzle.js";
import { DEFAULTS } from "./state.js";
import { textDialog } from "./text-dialog.js";

/**
 * Return the puzzle that the address says; a notation that only the server reads is read there.
 * Where there is none, say so and take the usual one.
 */
export async function puzzleOnTable(app) {
  try {
    return puzzleOf(app.state.get());
  } catch (error) {
    if (!(error instanceof PuzzleError)) throw error;
  }
  try {
    const answer = await app.api.post("/api/read", { text: app.state.get().board });
    const { cells, columns } = fromRows(answer.board);
    const board = writeBoard(cells, columns);
    const puzzle = puzzleOf({ ...app.state.get(), board });
    app.state.set({ board });
    return puzzle;
  } catch (error) {
    app.tell(error.message, "bad");
    app.state.set(DEFAULTS);
    return puzzleOf(DEFAULTS);
  }
}

/** Tell whether another puzzle is on the table. */
export function isOtherPuzzle(state, before) {
  return ["board", "goal", "metric"].some((key) => state[key] !== before[key]);
}

/** Return what fills a view: `begin` does it, `fail` says what went wrong, `leave` ends it. */
export function mounted(View) {
  return (root, app) => {
    const view = new View(root, app);
    view.begin().catch((error) => view.fail(error));
    return { unmount: () => view.leave() };
  };
}

/** Return `{root, show(puzzle)}`: a folded card that puts another board on the table. */
export function otherBoard(app) {
  const fresh = newBoardCard(app);
  const text = textDialog(app);
  let puzzle = null;
  fresh.card.classList.remove("card");
  const type = button("Type or paste one", { sign: "text", class: "quiet" }, () => text.open(puzzle));
  const play = button("Edit in Play", { sign: "edit", class: "quiet" }, () => app.open("play"));
  const root = element("details", { class: "card chooser other-board" },
    element("summary", {}, "Another board"), fresh.card, element("div", { class: "row" }, type, play), text.dialog);
  return {
    root,
    show(next) {
      puzzle = next;
      fresh.show(next, app.state.get());
    },
  };
}
