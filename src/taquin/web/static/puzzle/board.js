// A board as an SVG whose tiles slide: large in Play, small elsewhere.
//
//     const view = new BoardView(container, {goal, onPress: (cell) => …});
//     view.show(cells, {columns: 3});                     // tiles glide to their new cells
//     view.show(cells, {columns: 3, animate: false});     // or jump there
//
// One cell is 100 units wide, so everything scales with the container. A tile keeps its element while
// the board holds the same labels; its position is a CSS transform, which the browser animates.

import { element, svgElement } from "../page/dom.js";
import { text } from "../page/messages.js";
import {
  ANY,
  BLANK,
  FILLER,
  fromRows,
  isHome,
  line,
  slideFrom,
  WALL,
  writeBoard,
} from "./puzzle.js";

const CELL = 100;
const EDGE = 8;
const INSET = 3;
const SIDE = CELL - 2 * INSET;
const ROUND = 15;
/** Only the first letters of a longer name are shown. */
const LETTERS = 12;
/** Counts the boards: each needs an id for the shape of its tiles. */
let instances = 0;

export class BoardView {
  /**
   * Draw into `container`. Options, which `set` can change later:
   * goal: cells of the goal; tiles in their goal cells are tinted. null tints none.
   * marks: a number for the corner of each cell's tile; null or 0 for none.
   * image: address of a picture, cut into the tiles by their goal cells.
   * colours: a key of SCHEMES, which colours tiles by their goal cells; an image comes first.
   * onPress: called with the cell that was pressed; tiles that can slide look clickable.
   * label: the name of the board for screen readers; the cells are added. null hides the board from
   *     them, if the container describes it.
   */
  constructor(container, options = {}) {
    this.container = container;
    this.options = {
      goal: null,
      marks: null,
      image: null,
      colours: null,
      onPress: null,
      label: text("puzzle.board"),
      ...options,
    };
    this.tiles = [];
    instances += 1;
    this.shape = `tile-shape-${instances}`;
    const accessibility = this.options.label === null ? { "aria-hidden": "true" } : { role: "img" };
    this.svg = svgElement("svg", { class: "board", ...accessibility });
    this.svg.addEventListener("click", (event) => this.pressed(event));
    container.append(this.svg);
  }

  /** Change options and redraw. */
  set(options) {
    Object.assign(this.options, options);
    if (this.cells) this.draw(this.cells, this.columns);
  }

  /**
   * Show cells. `ms` is the duration of a slide; `moved` are the cells of the last move.
   * @param {any[]} cells
   * @param {{columns?: number, animate?: boolean, ms?: number, moved?: number[]}} [options]
   */
  show(cells, { columns = this.columns, animate = true, ms, moved = [] } = {}) {
    const targets = this.cells && this.columns === columns ? this.targets(cells) : null;
    if (ms !== undefined) this.svg.style.setProperty("--glide", `${ms}ms`);
    this.cells = cells;
    if (targets) this.glide(targets, animate);
    else this.draw(cells, columns);
    this.decorate(moved);
  }

  /** Show an arrow for the hint `{cell, direction}`; null removes it. */
  point(hint) {
    this.svg.querySelector(".pointer")?.remove();
    for (const tile of this.tiles) tile.node.classList.toggle("pointed", tile.cell === hint?.cell);
    if (!hint) return;
    const angle = { right: 0, down: 90, left: 180, up: 270 }[hint.direction];
    const [x, y] = this.corner(hint.cell);
    const arrow = svgElement("path", { d: "M-13 -15 L13 0 L-13 15 Z" });
    const pointer = svgElement("g", { class: "pointer" }, arrow);
    const offset = { right: [46, 0], left: [-46, 0], down: [0, 46], up: [0, -46] }[hint.direction];
    const middle = [x + CELL / 2 + offset[0], y + CELL / 2 + offset[1]];
    pointer.setAttribute("transform", `translate(${middle}) rotate(${angle})`);
    this.svg.append(pointer);
  }

  /** Shift tiles by a part of a cell, while they are dragged. */
  nudge(cells, right, down) {
    for (const tile of this.tiles) {
      const held = cells.includes(tile.cell);
      tile.node.classList.toggle("held", held);
      this.move(tile, held ? right : 0, held ? down : 0);
    }
  }

  /** Return the cell at a point of the window; -1 if there is none. */
  cellAt(x, y) {
    const box = this.svg.getBoundingClientRect();
    const unit = box.width / (this.columns * CELL + 2 * EDGE);
    const column = Math.floor(((x - box.left) / unit - EDGE) / CELL);
    const row = Math.floor(((y - box.top) / unit - EDGE) / CELL);
    const isInside = column >= 0 && column < this.columns && row >= 0 && row < this.rows;
    return isInside ? row * this.columns + column : -1;
  }

  /** Return the width of a cell in pixels. */
  cellSize() {
    return (this.svg.getBoundingClientRect().width * CELL) / (this.columns * CELL + 2 * EDGE);
  }

  get rows() {
    return this.cells.length / this.columns;
  }

  // --- drawing --------------------------------------------------------------------------------

  draw(cells, columns) {
    this.cells = cells;
    this.columns = columns;
    const [width, height] = [columns * CELL + 2 * EDGE, this.rows * CELL + 2 * EDGE];
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.svg.style.aspectRatio = `${width} / ${height}`;
    const { image, colours, goal } = this.options;
    this.homes = image || colours ? homesOf(cells, goal) : new Map();
    const tray = svgElement("rect", { class: "tray", width, height, rx: ROUND + EDGE });
    this.agent = svgElement("g", { class: "agent" }, ...agentParts());
    this.tiles = [];
    const box = { x: INSET, y: INSET, width: SIDE, height: SIDE, rx: ROUND };
    const shape = svgElement("clipPath", { id: this.shape }, svgElement("rect", box));
    this.svg.replaceChildren(shape, tray);
    cells.forEach((label, cell) => {
      if (label === WALL) this.svg.append(this.fixed("wall", cell));
      else if (label === ANY) this.svg.append(this.fixed("any", cell));
    });
    if (cells.includes(FILLER)) this.svg.append(this.agent);
    cells.forEach((label, cell) => {
      if (label !== WALL && label !== ANY && label !== BLANK) this.addTile(label, cell);
    });
    this.decorate([]);
  }

  /** Return a mark that never moves: a wall, or a goal cell for any tile. */
  fixed(kind, cell) {
    const [x, y] = this.corner(cell);
    const box = { x: x + INSET, y: y + INSET, width: SIDE, height: SIDE, rx: ROUND };
    return svgElement("rect", { class: kind, ...box });
  }

  addTile(label, cell) {
    const home = this.homes.get(cell);
    const { image, colours } = this.options;
    const isPhoto = Boolean(image) && home !== undefined;
    const kind = isPhoto ? "tile photo" : label === FILLER ? "tile filler" : "tile";
    const node = svgElement("g", { class: kind });
    if (!image && SCHEMES[colours] && home !== undefined && label !== FILLER) {
      node.classList.add("hued");
      node.style.setProperty("--hue", hueOf(colours, home, this.rows, this.columns));
    }
    const face = { x: INSET, width: SIDE, height: SIDE, rx: ROUND };
    node.append(svgElement("rect", { class: "tile-side", ...face, y: INSET + 2.5 }));
    node.append(svgElement("rect", { class: "face", ...face, y: INSET }));
    if (isPhoto) node.append(...this.photoParts(label, home));
    else if (label !== FILLER) node.append(labelText(label, CELL / 2, CELL / 2, 44, CELL * 0.84));
    const tile = { label, cell, node };
    this.move(tile);
    this.tiles.push(tile);
    this.svg.append(node);
  }

  /** Return the part of the picture on a tile, and its name in a corner. */
  photoParts(label, home) {
    const [column, row] = [home % this.columns, Math.floor(home / this.columns)];
    const place = { x: INSET, y: INSET, width: SIDE, height: SIDE };
    const picture = svgElement("image", {
      href: this.options.image,
      width: this.columns * CELL,
      height: this.rows * CELL,
      preserveAspectRatio: "none",
    });
    const viewBox = `${column * CELL} ${row * CELL} ${CELL} ${CELL}`;
    const clipped = svgElement("g", { "clip-path": `url(#${this.shape})` });
    clipped.append(svgElement("svg", { ...place, viewBox }, picture));
    const frame = svgElement("rect", { class: "frame", ...place, rx: ROUND });
    return label === FILLER ? [clipped, frame] : [clipped, frame, ...this.tagParts(label)];
  }

  /** Return the name of a tile for its corner; on large boards it takes more of the tile. */
  tagParts(label) {
    const size = Math.min(26, 10 + 1.5 * Math.max(this.rows, this.columns));
    const letters = shortened(label).length;
    const width = Math.min(letters * size * 0.65 + size * 0.7, SIDE - 8);
    const tag = { x: 8, y: 8, width, height: size * 1.4, rx: size * 0.4 };
    const text = labelText(label, 8 + width / 2, 8 + size * 0.7, size, width - 4);
    return [svgElement("rect", { class: "tag", ...tag }), text];
  }

  corner(cell) {
    return [EDGE + (cell % this.columns) * CELL, EDGE + Math.floor(cell / this.columns) * CELL];
  }

  move(tile, right = 0, down = 0) {
    const [x, y] = this.corner(tile.cell);
    tile.node.style.transform = `translate(${x + right * CELL}px, ${y + down * CELL}px)`;
  }

  /** Return the new cell of each tile; null if the board no longer holds the same labels. */
  targets(cells) {
    if (cells.length !== this.cells.length) return null;
    if (cells.some((label, cell) => isFixed(label) !== isFixed(this.cells[cell]))) return null;
    return targetsOfSlide(this, cells) || targetsByLabel(this.tiles, cells);
  }

  glide(targets, animate) {
    this.svg.classList.toggle("at-once", !animate);
    this.tiles.forEach((tile, index) => {
      tile.cell = targets[index];
      this.move(tile);
    });
  }

  /** Mark the tiles in their goal cells, those that moved and those that can; describe the board. */
  decorate(moved) {
    const { goal, marks, onPress, label } = this.options;
    const blank = this.cells.indexOf(BLANK);
    for (const { node, cell } of this.tiles) {
      node.classList.remove("held");
      node.classList.toggle("home", Boolean(goal) && isHome(this.cells, goal, cell));
      node.classList.toggle("moved", moved.includes(cell));
      setMark(node, marks?.[cell]);
      node.classList.toggle("movable", Boolean(onPress) && Boolean(slideFrom(this, cell)));
    }
    if (blank >= 0) {
      const [x, y] = this.corner(blank);
      this.agent.style.transform = `translate(${x}px, ${y}px)`;
    }
    if (label !== null) {
      this.svg.setAttribute("aria-label", `${label}: ${description(this.cells, this.columns)}`);
    }
    this.point(null);
  }

  pressed(event) {
    const cell = this.cellAt(event.clientX, event.clientY);
    if (cell >= 0) this.options.onPress?.(cell);
  }
}

/** Return a small picture of a board, given as rows; tiles have the colours of `goal`, its cells, if it is given. */
export function smallBoard(rows, goal, label) {
  const { cells, columns } = fromRows(rows);
  const place = element("div", { class: "small-board" });
  place.style.setProperty("--ratio", columns / rows.length);
  new BoardView(place, { goal, label }).show(cells, { columns, animate: false });
  return place;
}

/** Return the new cells of the tiles if one slide explains them: of equal tiles, the right ones move. */
function targetsOfSlide(view, cells) {
  const move = slideFrom(view, cells.indexOf(BLANK));
  if (!move) return null;
  const path = line(view, move.direction).slice(0, move.count);
  const from = [view.cells.indexOf(BLANK), ...path];
  const moved = new Map(path.map((cell, index) => [cell, from[index]]));
  const targets = view.tiles.map((tile) => moved.get(tile.cell) ?? tile.cell);
  return view.tiles.every((tile, index) => cells[targets[index]] === tile.label) ? targets : null;
}

/** Return a cell with its label for each tile, its own if possible; null if the labels differ. */
function targetsByLabel(tiles, cells) {
  const targets = tiles.map((tile) => (cells[tile.cell] === tile.label ? tile.cell : -1));
  const free = cellsByLabel(cells.map((label, cell) => (targets.includes(cell) ? BLANK : label)));
  for (const [index, tile] of tiles.entries()) {
    if (targets[index] < 0) targets[index] = free.get(tile.label)?.shift() ?? -1;
  }
  const isComplete = [...free.values()].every((unused) => !unused.length);
  return isComplete && !targets.includes(-1) ? targets : null;
}

/** Colour schemes: the number of a tile's group by row and column, and how many groups there are. */
export const SCHEMES = {
  fringe: ({ row, column, rows, columns }) => [Math.min(row, column), Math.min(rows, columns)],
  rows: ({ row, rows }) => [row, rows],
  columns: ({ column, columns }) => [column, columns],
  rainbow: ({ row, column, rows, columns }) => [row * columns + column, rows * columns],
  checkerboard: ({ row, column }) => [(row + column) % 2, 2],
};

/** Return the hue of the tile that belongs to a cell, in degrees, as pictures have it. */
export function hueOf(scheme, home, rows, columns) {
  const place = { row: Math.floor(home / columns), column: home % columns, rows, columns };
  const [number, groups] = SCHEMES[scheme](place);
  return 15 * (Math.round((24 * number) / groups) % 24);
}

function isFixed(label) {
  return label === WALL || label === ANY;
}

/** Return for each tile, by its cell, its goal cell: the part of the picture that it shows. */
function homesOf(cells, goal) {
  const goalCells = cellsByLabel(goal ?? []);
  const homes = new Map();
  cells.forEach((label, cell) => {
    const home = goalCells.get(label)?.shift();
    if (home !== undefined) homes.set(cell, home);
  });
  return homes;
}

/** Return the cells of each tile label, in order. */
function cellsByLabel(cells) {
  const byLabel = new Map();
  cells.forEach((label, cell) => {
    if (isFixed(label) || label === BLANK) return;
    if (!byLabel.has(label)) byLabel.set(label, []);
    byLabel.get(label).push(cell);
  });
  return byLabel;
}

function labelText(label, x, y, size, width) {
  const word = shortened(label);
  const fitting = Math.min(size, width / (word.length * 0.62));
  const text = svgElement("text", { x, y: y + fitting * 0.355, "text-anchor": "middle" }, word);
  text.style.fontSize = `${fitting}px`;
  return text;
}

function shortened(label) {
  const word = String(label);
  return word.length <= LETTERS ? word : `${word.slice(0, LETTERS - 1)}…`;
}

/** Write a number into the corner of a tile; nothing for 0 or null. */
function setMark(tile, number) {
  const mark = tile.querySelector(".mark");
  if (!number) return mark?.remove();
  const text =
    mark ??
    tile.appendChild(svgElement("text", { class: "mark", x: 90, y: 90, "text-anchor": "end" }));
  text.textContent = String(number);
}

/** Return the face of the agent of a grid world, which is drawn on the blank. */
function agentParts() {
  return [
    svgElement("circle", { class: "agent-face", cx: 50, cy: 50, r: 27 }),
    svgElement("circle", { class: "agent-line", cx: 41, cy: 44, r: 3 }),
    svgElement("circle", { class: "agent-line", cx: 59, cy: 44, r: 3 }),
    svgElement("path", { class: "agent-smile", d: "M38 56 Q50 68 62 56" }),
  ];
}

function description(cells, columns) {
  const words = new Map([
    [BLANK, text("puzzle.blank")],
    [WALL, text("puzzle.wall")],
    [FILLER, text("puzzle.filler")],
    [ANY, text("puzzle.any")],
  ]);
  return writeBoard(
    cells.map((label) => words.get(label) ?? label),
    columns,
  );
}
