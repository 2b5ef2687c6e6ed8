// The puzzle of the address, for the views that do not play it, and a card to choose another.

import { button, element } from "../page/dom.js";
import { newBoardCard } from "./new-board.js";
import { PuzzleError, puzzleOf, writeBoard } from "./puzzle.js";

/**
 * Return the puzzle of the address. The server reads notations that this page does not know.
 * For a board that the server cannot read either, show the error and take the default puzzle.
 */
export async function currentPuzzle(app) {
  try {
    return puzzleOf(app.state.get());
  } catch (error) {
    if (!(error instanceof PuzzleError)) throw error;
  }
  try {
    const { board, goal } = app.state.get();
    const { readPuzzle } = await import("./text-dialog.js");
    const read = await readPuzzle(app, board, goal);
    app.state.set({ board: writeBoard(read.cells, read.columns), goal: read.goal });
    return puzzleOf(app.state.get());
  } catch (error) {
    app.notify(error.message, "bad");
    app.state.set({ board: null, goal: null, metric: null });
    return puzzleOf(app.state.get());
  }
}

/** Return whether two states have different puzzles. */
export function isPuzzleChanged(state, before) {
  return ["board", "goal", "metric"].some((key) => state[key] !== before[key]);
}

/** Return the `mount` of a view class with `begin()`, `fail(error)` and `leave()`. */
export function mountView(View) {
  return (root, app) => {
    const view = new View(root, app);
    view.begin().catch((error) => view.fail(error));
    return { unmount: () => view.leave() };
  };
}

/** Return `{root, show(puzzle)}`: a folded card that puts another board into the address. */
export function boardChooser(app) {
  const newBoard = newBoardCard(app);
  let puzzle = null;
  let text = null;
  newBoard.card.classList.remove("card");
  const type = button("Type or paste one", { icon: "text", class: "quiet" }, openText);
  const play = button("Edit in Play", { icon: "edit", class: "quiet" }, () => app.open("play"));
  const root = element(
    "details",
    { class: "card chooser other-board" },
    element("summary", {}, "Another board"),
    newBoard.card,
    element("div", { class: "row" }, type, play),
  );

  /** Open the dialog; most visits do without its module. */
  async function openText() {
    const { textDialog } = await import("./text-dialog.js");
    text ??= textDialog(app);
    root.append(text.dialog);
    text.open(puzzle);
  }

  return {
    root,
    show(next) {
      puzzle = next;
      newBoard.show(next, app.state.get());
    },
  };
}
