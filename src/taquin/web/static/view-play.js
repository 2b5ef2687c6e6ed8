// Play: a board to slide, and how far it is from solved.

import { BoardView } from "./board.js";
import { puzzleOf, slide, slideFrom, writeBoard } from "./puzzle.js";

/** Fill the view; return how to leave it. */
export function mount(root, app) {
  const puzzle = puzzleOf(app.state.get());
  const view = new BoardView(root, { goal: puzzle.goal, onPress: press });
  view.show(puzzle.cells, { columns: puzzle.columns, animate: false });

  function press(cell) {
    const move = slideFrom(puzzle, cell);
    if (!move) return;
    puzzle.cells = slide(puzzle, move);
    view.show(puzzle.cells);
    app.state.set({ board: writeBoard(puzzle.cells, puzzle.columns) });
  }
  return { unmount() {} };
}
