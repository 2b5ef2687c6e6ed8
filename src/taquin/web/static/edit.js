// Edit: the start and the goal side by side, brushes to change them, and whether it can be solved.

import { button, element, icon } from "./dom.js";
import { editBoard } from "./edit-board.js";
import { EditError, aimed, painted, resized, swapped } from "./edit-puzzle.js";
import { EXAMPLES } from "./examples.js";
import { titleOf } from "./goal-card.js";
import { questionOf } from "./left.js";
import { ANY, BLANK, FILLER, GOAL_NAMES, WALL, labelOf, puzzleOf, writeBoard } from "./puzzle.js";
import { sizeSelects } from "./sizes.js";
import { verdictBox } from "./verdict.js";

const SWAP = "swap";
const TILE = "tile";
const BRUSHES = [
  { name: SWAP, title: "Swap", hint: "Drag one tile onto another, or press both." },
  { name: TILE, title: "Tile", hint: "Paints tiles with the name beside it; the same name may stand on several." },
  { name: "blank", title: "Gap", label: BLANK, hint: "Moves the gap." },
  { name: "wall", title: "Wall", label: WALL, hint: "Builds walls and takes them away." },
  { name: "filler", title: "Filler", label: FILLER, hint: "Tiles without a name: it is all the same which is where." },
  { name: "any", title: "Any", label: ANY, hint: "In the goal: whatever tile comes to lie here will do." },
];
/** Keys typed within this time belong to one label. */
const WORD_MS = 900;
const CHECK_MS = 150;

/** Fill the view with the editor; return how to leave it. */
export function mountEdit(root, app) {
  let puzzle = null;
  let brush = BRUSHES[0];
  let chosen = null;
  let typed = { key: "", at: 0 };
  let checking = null;
  const past = [];

  const sides = { cells: makeSide("cells", "Start"), goal: makeSide("goal", "Goal") };
  const label = element("input", { value: "A", maxlength: "12", size: "3", "aria-label": "Name of the tile", oninput: () => choose(BRUSHES[1]) });
  const tools = BRUSHES.map((each) => {
    const key = element("span", { class: `swatch is-${each.name}` }, each.name === SWAP ? icon("swap") : "");
    return element("button", { type: "button", class: "tool", title: each.hint, onclick: () => choose(each) }, key, each.title);
  });
  const note = element("p", { class: "note" });
  const verdict = verdictBox((name) => change(aimed(puzzle, name)));
  const sizes = sizeSelects((rows, columns) => change(resized(puzzle, rows, columns)));
  const own = element("option", { value: "", hidden: true }, "Own goal");
  const goalNames = GOAL_NAMES.map((name) => element("option", { value: name }, titleOf(name)));
  const goal = element("select", { onchange: () => change(aimed(puzzle, goal.value)) }, ...goalNames, own);
  const undo = button("Undo", { sign: "undo" }, back);
  assemble();

  // --- the puzzle -----------------------------------------------------------------------------

  function load() {
    const state = app.state.get();
    try {
      const read = puzzleOf(state);
      puzzle = { ...read, name: GOAL_NAMES.includes(state.goal) ? state.goal : null };
    } catch {
      app.state.set({ board: EXAMPLES[0].board, goal: EXAMPLES[0].goal });
      return;
    }
    show();
  }

  function change(next) {
    if (!next || next === puzzle) return;
    past.push(puzzle);
    puzzle = next;
    keep();
    show();
  }

  function back() {
    if (!past.length) return;
    puzzle = past.pop();
    keep();
    show();
  }

  function keep() {
    const { cells, columns, goal: aim, name } = puzzle;
    app.state.set({ ...texts(cells, aim, columns, name), moves: null, time: null, seed: null, fewest: null });
  }

  function texts(cells, aim, columns, name) {
    return { board: writeBoard(cells, columns), goal: name ?? writeBoard(aim, columns) };
  }

  function show() {
    const hasAgent = puzzle.cells.includes(FILLER);
    for (const [side, { board }] of Object.entries(sides)) board.show(puzzle[side], puzzle.columns, hasAgent);
    sizes.show(puzzle.rows, puzzle.columns);
    own.hidden = Boolean(puzzle.name);
    goal.value = puzzle.name ?? "";
    undo.disabled = !past.length;
    check();
  }

  /** Ask whether it can be solved, once the hand rests. */
  function check() {
    clearTimeout(checking?.timer);
    checking?.abort();
    const turn = new AbortController();
    checking = turn;
    turn.timer = setTimeout(async () => {
      try {
        const answer = await app.api.post("/api/check", questionOf(puzzle), { signal: turn.signal });
        if (checking === turn) verdict.show(answer);
      } catch (error) {
        if (checking === turn) verdict.fail(error.message);
      }
    }, CHECK_MS);
  }

  // --- the brush ------------------------------------------------------------------------------

  function choose(next) {
    brush = next;
    chosen = null;
    tools.forEach((tool, index) => tool.setAttribute("aria-pressed", String(BRUSHES[index] === brush)));
    note.textContent = brush.hint;
    mark();
  }

  function makeSide(side, title) {
    const board = editBoard(title, {
      onStart: (cell) => begin(side, cell),
      onOver: (cell) => brush.name !== SWAP && paint(side, cell, true),
      onEnd: (cell) => end(side, cell),
      onType: (cell, key) => type(side, cell, key),
    });
    const heading = element("h2", {}, title);
    return { board, box: element("section", { class: "edit-side", "aria-label": title }, heading, board.grid) };
  }

  function begin(side, cell) {
    if (brush.name !== SWAP) return paint(side, cell, false);
    if (chosen && chosen.side === side && chosen.cell !== cell) return exchange(side, cell);
    chosen = { side, cell };
    mark();
  }

  function end(side, cell) {
    if (brush.name === SWAP && chosen?.side === side && chosen.cell !== cell) exchange(side, cell);
  }

  function exchange(side, cell) {
    change(swapped(puzzle, side, chosen.cell, cell));
    chosen = null;
    mark();
  }

  /** Paint a cell; a stroke goes on as it began and does not take back its own walls. */
  function paint(side, cell, isStroke) {
    const paintLabel = brush.name === TILE ? labelOf(label.value.trim() || "A") : brush.label;
    if (isStroke && (brush.name === "blank" || puzzle[side][cell] === paintLabel)) return;
    attempt(() => painted(puzzle, side, cell, paintLabel));
  }

  /** Take a key on a cell as its label; keys in quick succession make one. */
  function type(side, cell, key) {
    const now = performance.now();
    const isMore = typed.cell === cell && typed.side === side && now - typed.at < WORD_MS && /^[\p{L}\d_]$/u.test(key);
    if (isMore && past.length) puzzle = past.pop();
    typed = { side, cell, at: now, key: isMore ? typed.key + key : key };
    if (/^[\p{L}\d_*#.@-]+$/u.test(typed.key)) attempt(() => painted(puzzle, side, cell, labelOf(typed.key)));
  }

  function attempt(deed) {
    try {
      change(deed());
    } catch (error) {
      if (!(error instanceof EditError)) throw error;
      app.tell(error.message);
    }
  }

  function mark() {
    for (const [side, { board }] of Object.entries(sides)) board.select(chosen?.side === side ? chosen.cell : -1);
  }

  // --- layout ---------------------------------------------------------------------------------

  function assemble() {
    const examples = EXAMPLES.map(({ title, ...values }) =>
      button(title, { class: "chip" }, () => {
        past.push(puzzle);
        app.state.set({ ...values, moves: null });
      }),
    );
    const play = button("Play this board", { sign: "play", class: "main" }, () => app.state.set({ edit: null }));
    const toolbar = element("div", { class: "tools", role: "group", "aria-label": "Brush" }, ...tools.slice(0, 2), label, ...tools.slice(2));
    root.append(
      element(
        "div",
        { class: "edit" },
        element("div", { class: "row spread" }, element("div", { class: "row" }, sizes.field, element("label", { class: "field" }, "Goal", goal)), element("div", { class: "row" }, undo, play)),
        toolbar,
        note,
        element("div", { class: "edit-sides" }, sides.cells.box, sides.goal.box),
        verdict.box,
        element("div", { class: "row examples" }, element("span", { class: "note" }, "Examples"), ...examples),
      ),
    );
  }

  // --- begin and end --------------------------------------------------------------------------

  function onKey(event) {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z" && !event.target.closest("input")) {
      event.preventDefault();
      back();
    }
  }
  document.addEventListener("keydown", onKey);
  const leave = app.state.subscribe((state) => {
    if (state.view !== "play" || !state.edit || !puzzle) return;
    const now = texts(puzzle.cells, puzzle.goal, puzzle.columns, puzzle.name);
    if (state.board !== now.board || state.goal !== now.goal) load();
  });
  choose(BRUSHES[0]);
  load();

  return {
    unmount() {
      leave();
      clearTimeout(checking?.timer);
      checking?.abort();
      document.removeEventListener("keydown", onKey);
    },
  };
}
