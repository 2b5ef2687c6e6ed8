// A board to edit: a grid of buttons, one for each cell; arrow keys move the focus.

import { element } from "./dom.js";
import { ANY, BLANK, FILLER, WALL } from "./puzzle.js";

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

/**
 * Return `{grid, show(cells, columns, hasAgent), select(cell)}`. The listeners get a cell: onStart when
 * it is pressed, onOver when the pressed pointer enters another, onEnd when it is released there, and
 * onType(cell, key) for a key that may be a label.
 */
export function editBoard(name, { onStart, onOver, onEnd, onType }) {
  let buttons = [];
  let columns = 1;
  let isPressed = false;
  let last = -1;
  const grid = element("div", { class: "edit-board", role: "grid", "aria-label": name });

  grid.addEventListener("pointerdown", (event) => {
    const cell = cellOf(event.target);
    if (cell < 0 || event.button !== 0) return;
    // A touch is captured by the first button; release it, so that it can reach others.
    event.target.releasePointerCapture?.(event.pointerId);
    isPressed = true;
    last = cell;
    focus(cell);
    onStart(cell);
  });
  grid.addEventListener("pointermove", (event) => {
    if (!isPressed) return;
    const cell = cellOf(document.elementFromPoint(event.clientX, event.clientY));
    if (cell < 0 || cell === last) return;
    last = cell;
    onOver(cell);
  });
  grid.addEventListener("pointerup", () => {
    if (isPressed) onEnd(last);
    isPressed = false;
  });
  grid.addEventListener("pointercancel", () => {
    isPressed = false;
  });
  grid.addEventListener("click", (event) => {
    // A click without a pointer comes from a key or from a screen reader.
    const cell = cellOf(event.target);
    if (event.detail > 0 || cell < 0) return;
    onStart(cell);
    onEnd(cell);
  });
  grid.addEventListener("keydown", (event) => {
    const cell = cellOf(event.target);
    if (cell < 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in STEPS) {
      event.preventDefault();
      moveFocus(cell, STEPS[event.key]);
    } else if (event.key.length === 1 && event.key !== " ") {
      event.preventDefault();
      onType(cell, event.key);
    }
  });

  function cellOf(node) {
    return buttons.indexOf(node?.closest?.("button"));
  }

  function moveFocus(cell, [down, right]) {
    const rows = buttons.length / columns;
    const row = Math.floor(cell / columns) + down;
    const column = (cell % columns) + right;
    if (row >= 0 && row < rows && column >= 0 && column < columns) focus(row * columns + column);
  }

  function focus(cell) {
    buttons.forEach((button, index) => {
      button.tabIndex = index === cell ? 0 : -1;
    });
    buttons[cell].focus();
  }

  function createButtons(cells) {
    const attributes = { type: "button", role: "gridcell", tabindex: "-1" };
    buttons = cells.map(() => element("button", attributes));
    buttons[0].tabIndex = 0;
    const rows = [];
    for (let start = 0; start < cells.length; start += columns) {
      rows.push(element("div", { role: "row" }, ...buttons.slice(start, start + columns)));
    }
    grid.replaceChildren(...rows);
    grid.style.setProperty("--columns", columns);
    grid.style.setProperty("--rows", cells.length / columns);
  }

  return {
    grid,
    show(cells, width, hasAgent) {
      if (cells.length !== buttons.length || width !== columns) {
        columns = width;
        createButtons(cells);
      }
      cells.forEach((label, cell) => {
        const [kind, word, spoken] = appearance(label, hasAgent);
        buttons[cell].className = `cell ${kind}`;
        buttons[cell].textContent = word;
        buttons[cell].style.setProperty("--letters", Math.max(2, word.length));
        const place = `row ${Math.floor(cell / columns) + 1}, column ${(cell % columns) + 1}`;
        buttons[cell].setAttribute("aria-label", `${spoken}, ${place}`);
      });
    },
    select(cell) {
      for (const [index, button] of buttons.entries()) {
        button.setAttribute("aria-selected", String(index === cell));
      }
    },
  };
}

/** Return the class of a cell, its text, and its name for screen readers. */
function appearance(label, hasAgent) {
  if (label === BLANK) return ["is-blank", hasAgent ? "☺" : "", "blank"];
  if (label === WALL) return ["is-wall", "", "wall"];
  if (label === FILLER) return ["is-filler", "", "filler"];
  if (label === ANY) return ["is-any", "", "any tile"];
  return ["is-tile", String(label), `tile ${label}`];
}
