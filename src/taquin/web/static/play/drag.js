// Dragging tiles: a tile in line with the blank follows the pointer, with those between. A swipe
// elsewhere on the board slides the tile that can move in that direction.

import { line, slideFrom, STEPS } from "../puzzle/puzzle.js";

/** A pointer that moves fewer pixels than this clicks; it does not drag. */
const CLICK_PIXELS = 7;
/** A tile that is released beyond this part of a cell completes its move. */
const COMPLETES = 0.3;

/** Let tiles of `view` be dragged. `board()` returns the board, `play(move)` makes a move. */
export function enableDragging(view, board, play) {
  let drag = null;

  view.svg.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const cell = view.cellAt(event.clientX, event.clientY);
    const move = cell < 0 ? null : slideFrom(board(), cell);
    drag = { x: event.clientX, y: event.clientY, move, isDragging: false, part: 0 };
  });

  view.svg.addEventListener("pointermove", (event) => {
    // No event tells that the button was released outside the board.
    if (!event.buttons) release();
    if (!drag) return;
    const [right, down] = [event.clientX - drag.x, event.clientY - drag.y];
    if (!drag.isDragging && Math.hypot(right, down) < CLICK_PIXELS) return;
    if (!drag.isDragging) {
      drag.isDragging = true;
      view.svg.setPointerCapture(event.pointerId);
    }
    drag.swipe = directionOf(right, down);
    if (drag.move) follow(right, down);
  });

  view.svg.addEventListener("pointerup", () => {
    const last = drag;
    drag = null;
    if (!last?.isDragging) return;
    // The browser sends a click at the end of a drag: ignore it.
    view.svg.addEventListener("click", (event) => event.stopImmediatePropagation(), {
      once: true,
      capture: true,
    });
    const move = last.move
      ? last.part > COMPLETES && last.move
      : { direction: last.swipe, count: 1 };
    if (!move || !play(move)) view.nudge([], 0, 0);
  });

  view.svg.addEventListener("pointercancel", release);

  function release() {
    if (drag?.isDragging) view.nudge([], 0, 0);
    drag = null;
  }

  function follow(right, down) {
    const { direction, count } = drag.move;
    const [rowStep, columnStep] = STEPS[direction];
    const progress = (right * columnStep + down * rowStep) / view.cellSize();
    drag.part = Math.min(1, Math.max(0, progress));
    const cells = line(board(), direction).slice(0, count);
    view.nudge(cells, drag.part * columnStep, drag.part * rowStep);
  }
}

function directionOf(right, down) {
  if (Math.abs(right) > Math.abs(down)) return right > 0 ? "right" : "left";
  return down > 0 ? "down" : "up";
}
