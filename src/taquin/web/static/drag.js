// Tiles under a finger: a tile in line with the blank follows it, with those between; a swipe
// elsewhere on the board slides whatever can go that way.

import { STEPS, line, slideFrom } from "./puzzle.js";

/** A finger that strays less than this many pixels has pressed, not dragged. */
const STRAY = 7;
/** The part of a cell beyond which a tile that is let go moves on. */
const FAR = 0.3;

/** Let tiles of `view` be dragged. `board()` is the board now, `play(move)` makes a move. */
export function letDrag(view, board, play) {
  let held = null;

  view.svg.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const cell = view.cellAt(event.clientX, event.clientY);
    const move = cell < 0 ? null : slideFrom(board(), cell);
    held = { x: event.clientX, y: event.clientY, move, isDrag: false, part: 0 };
  });

  view.svg.addEventListener("pointermove", (event) => {
    // A button let go outside the board is not heard of here.
    if (!event.buttons) release();
    if (!held) return;
    const [right, down] = [event.clientX - held.x, event.clientY - held.y];
    if (!held.isDrag && Math.hypot(right, down) < STRAY) return;
    if (!held.isDrag) {
      held.isDrag = true;
      view.svg.setPointerCapture(event.pointerId);
    }
    held.swipe = directionOf(right, down);
    if (held.move) follow(right, down);
  });

  view.svg.addEventListener("pointerup", () => {
    const last = held;
    held = null;
    if (!last?.isDrag) return;
    // The click that ends a drag is no press.
    view.svg.addEventListener("click", (event) => event.stopImmediatePropagation(), {
      once: true,
      capture: true,
    });
    const move = last.move ? last.part > FAR && last.move : { direction: last.swipe, count: 1 };
    if (!move || !play(move)) view.nudge([], 0, 0);
  });

  view.svg.addEventListener("pointercancel", release);

  function release() {
    if (held?.isDrag) view.nudge([], 0, 0);
    held = null;
  }

  function follow(right, down) {
    const { direction, count } = held.move;
    const [rowStep, columnStep] = STEPS[direction];
    const way = (right * columnStep + down * rowStep) / view.cellSize();
    held.part = Math.min(1, Math.max(0, way));
    const cells = line(board(), direction).slice(0, count);
    view.nudge(cells, held.part * columnStep, held.part * rowStep);
  }
}

function directionOf(right, down) {
  if (Math.abs(right) > Math.abs(down)) return right > 0 ? "right" : "left";
  return down > 0 ? "down" : "up";
}
