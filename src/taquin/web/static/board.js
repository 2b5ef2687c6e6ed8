// A board as a picture whose tiles slide: big in Play, small wherever a board is shown.
//
//     const view = new BoardView(container, {goal, onPress: (cell) => …});
//     view.show(cells, {columns: 3});                     // tiles glide to where they now are
//     view.show(cells, {columns: 3, animate: false});     // or stand there at once
//
// One cell is 100 units wide, so that everything scales with the container. A tile is the same
// element for as long as the board holds the same labels; its place is a CSS transform, which the
// browser moves by itself.

import { drawn } from "./dom.js";
import { ANY, BLANK, FILLER, WALL, isHome, slideFrom, line, writeBoard } from "./puzzle.js";

const CELL = 100;
const EDGE = 8;
const INSET = 3;
const SIDE = CELL - 2 * INSET;
const ROUND = 15;
/** Of a longer name only the beginning is shown on its tile. */
const LETTERS = 12;
/** So many boards were made: each needs a name for the shape of its tiles. */
let made = 0;

export class BoardView {
  /**
   * Draw into `container`. Options, each of which may change later by `set`:
   * goal: cells of the goal; tiles that are at home are tinted. null tints none.
   * image: address of a picture, cut into the tiles by their homes in the goal.
   * onPress: called with the cell that was pressed; tiles that can slide invite to it.
   * label: what the board is called for those who hear the page; the cells are added. null leaves
   *     it to the container to say.
   */
  constructor(container, options = {}) {
    this.container = container;
    this.options = { goal: null, image: null, onPress: null, label: "Board", ...options };
    this.tiles = [];
    made += 1;
    this.shape = `tile-shape-${made}`;
    const said = this.options.label === null ? { "aria-hidden": "true" } : { role: "img" };
    this.svg = drawn("svg", { class: "board", ...said });
    this.svg.addEventListener("click", (event) => this.pressed(event));
    container.append(this.svg);
  }

  /** Change options and draw anew. */
  set(options) {
    Object.assign(this.options, options);
    if (this.cells) this.draw(this.cells, this.columns);
  }

  /**
   * Show cells. `ms` is how long a tile glides; `moved` are cells to mark as moved last.
   * @param {any[]} cells
   * @param {{columns?: number, animate?: boolean, ms?: number, moved?: number[]}} [options]
   */
  show(cells, { columns = this.columns, animate = true, ms, moved = [] } = {}) {
    const places = this.cells && this.columns === columns ? this.places(cells) : null;
    if (ms !== undefined) this.svg.style.setProperty("--glide", `${ms}ms`);
    this.cells = cells;
    if (places) this.glide(places, animate);
    else this.draw(cells, columns);
    this.dress(moved);
  }

  /** Show which tile to move, and where: `{cell, direction}`, or null for none. */
  point(hint) {
    this.svg.querySelector(".pointer")?.remove();
    for (const tile of this.tiles) tile.node.classList.toggle("pointed", tile.cell === hint?.cell);
    if (!hint) return;
    const turn = { right: 0, down: 90, left: 180, up: 270 }[hint.direction];
    const [x, y] = this.corner(hint.cell);
    const arrow = drawn("path", { d: "M-13 -15 L13 0 L-13 15 Z" });
    const spot = drawn("g", { class: "pointer" }, arrow);
    const away = { right: [46, 0], left: [-46, 0], down: [0, 46], up: [0, -46] }[hint.direction];
    const middle = [x + CELL / 2 + away[0], y + CELL / 2 + away[1]];
    spot.setAttribute("transform", `translate(${middle}) rotate(${turn})`);
    this.svg.append(spot);
  }

  /** Draw tiles off their places by a part of a cell, while a finger drags them. */
  nudge(cells, right, down) {
    for (const tile of this.tiles) {
      const held = cells.includes(tile.cell);
      tile.node.classList.toggle("held", held);
      this.put(tile, held ? right : 0, held ? down : 0);
    }
  }

  /** Return the cell under a point of the window; -1 where there is none. */
  cellAt(x, y) {
    const box = this.svg.getBoundingClientRect();
    const unit = box.width / (this.columns * CELL + 2 * EDGE);
    const column = Math.floor(((x - box.left) / unit - EDGE) / CELL);
    const row = Math.floor(((y - box.top) / unit - EDGE) / CELL);
    const isInside = column >= 0 && column < this.columns && row >= 0 && row < this.rows;
    return isInside ? row * this.columns + column : -1;
  }

  /** Return how many pixels wide a cell is now. */
  cellSize() {
    return (this.svg.getBoundingClientRect().width * CELL) / (this.columns * CELL + 2 * EDGE);
  }

  /** Take the board away. */
  remove() {
    this.svg.remove();
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
    this.homes = this.options.image ? homesOf(cells, this.options.goal) : new Map();
    const tray = drawn("rect", { class: "tray", width, height, rx: ROUND + EDGE });
    this.agent = drawn("g", { class: "agent" }, ...agentParts());
    this.tiles = [];
    const box = { x: INSET, y: INSET, width: SIDE, height: SIDE, rx: ROUND };
    const shape = drawn("clipPath", { id: this.shape }, drawn("rect", box));
    this.svg.replaceChildren(shape, tray);
    cells.forEach((label, cell) => {
      if (label === WALL) this.svg.append(this.still("wall", cell));
      else if (label === ANY) this.svg.append(this.still("any", cell));
    });
    if (cells.includes(FILLER)) this.svg.append(this.agent);
    cells.forEach((label, cell) => {
      if (label !== WALL && label !== ANY && label !== BLANK) this.addTile(label, cell);
    });
    this.dress([]);
  }

  /** Return what stays in its cell: a wall, or the place of any tile. */
  still(kind, cell) {
    const [x, y] = this.corner(cell);
    const box = { x: x + INSET, y: y + INSET, width: SIDE, height: SIDE, rx: ROUND };
    return drawn("rect", { class: kind, ...box });
  }

  addTile(label, cell) {
    const home = this.homes.get(cell);
    const kind = home !== undefined ? "tile photo" : label === FILLER ? "tile filler" : "tile";
    const node = drawn("g", { class: kind });
    const face = { x: INSET, width: SIDE, height: SIDE, rx: ROUND };
    node.append(drawn("rect", { class: "tile-side", ...face, y: INSET + 2.5 }));
    node.append(drawn("rect", { class: "face", ...face, y: INSET }));
    if (home !== undefined) node.append(...this.photoParts(label, home));
    else if (label !== FILLER) node.append(labelText(label, CELL / 2, CELL / 2, 44, CELL * 0.84));
    const tile = { label, cell, node };
    this.put(tile);
    this.tiles.push(tile);
    this.svg.append(node);
  }

  /** Return the part of the picture that belongs to a tile, and its name small in a corner. */
  photoParts(label, home) {
    const [column, row] = [home % this.columns, Math.floor(home / this.columns)];
    const place = { x: INSET, y: INSET, width: SIDE, height: SIDE };
    const picture = drawn("image", {
      href: this.options.image,
      width: this.columns * CELL,
      height: this.rows * CELL,
      preserveAspectRatio: "none",
    });
    const viewBox = `${column * CELL} ${row * CELL} ${CELL} ${CELL}`;
    const cut = drawn("g", { "clip-path": `url(#${this.shape})` });
    cut.append(drawn("svg", { ...place, viewBox }, picture));
    const frame = drawn("rect", { class: "frame", ...place, rx: ROUND });
    return label === FILLER ? [cut, frame] : [cut, frame, ...this.tagParts(label)];
  }

  /** Return the name of a tile small in its corner; on boards of many cells not too small. */
  tagParts(label) {
    const size = Math.min(26, 10 + 1.5 * Math.max(this.rows, this.columns));
    const letters = short(label).length;
    const width = Math.min(letters * size * 0.65 + size * 0.7, SIDE - 8);
    const tag = { x: 8, y: 8, width, height: size * 1.4, rx: size * 0.4 };
    const text = labelText(label, 8 + width / 2, 8 + size * 0.7, size, width - 4);
    return [drawn("rect", { class: "tag", ...tag }), text];
  }

  corner(cell) {
    return [EDGE + (cell % this.columns) * CELL, EDGE + Math.floor(cell / this.columns) * CELL];
  }

  put(tile, right = 0, down = 0) {
    const [x, y] = this.corner(tile.cell);
    tile.node.style.transform = `translate(${x + right * CELL}px, ${y + down * CELL}px)`;
  }

  /** Return where each tile now is; null when the board no longer holds the same labels. */
  places(cells) {
    if (cells.length !== this.cells.length) return null;
    if (cells.some((label, cell) => isStill(label) !== isStill(this.cells[cell]))) return null;
    return slid(this, cells) || matched(this.tiles, cells);
  }

  glide(places, animate) {
    this.svg.classList.toggle("at-once", !animate);
    this.tiles.forEach((tile, index) => {
      tile.cell = places[index];
      this.put(tile);
    });
  }

  /** Tint what is at home, mark what moved, invite to what can move, and say it all in words. */
  dress(moved) {
    const { goal, onPress, label } = this.options;
    const blank = this.cells.indexOf(BLANK);
    for (const { node, cell } of this.tiles) {
      node.classList.remove("held");
      node.classList.toggle("home", Boolean(goal) && isHome(this.cells, goal, cell));
      node.classList.toggle("moved", moved.includes(cell));
      node.classList.toggle("movable", Boolean(onPress) && Boolean(slideFrom(this, cell)));
    }
    if (blank >= 0) {
      const [x, y] = this.corner(blank);
      this.agent.style.transform = `translate(${x}px, ${y}px)`;
    }
    if (label !== null) {
      this.svg.setAttribute("aria-label", `${label}: ${spoken(this.cells, this.columns)}`);
    }
    this.point(null);
  }

  pressed(event) {
    const cell = this.cellAt(event.clientX, event.clientY);
    if (cell >= 0) this.options.onPress?.(cell);
  }
}

/** Return the places of tiles after one slide, so that of equal tiles the right ones move. */
function slid(view, cells) {
  const move = slideFrom(view, cells.indexOf(BLANK));
  if (!move) return null;
  const path = line(view, move.direction).slice(0, move.count);
  const from = [view.cells.indexOf(BLANK), ...path];
  const target = new Map(path.map((cell, index) => [cell, from[index]]));
  const places = view.tiles.map((tile) => target.get(tile.cell) ?? tile.cell);
  return view.tiles.every((tile, index) => cells[places[index]] === tile.label) ? places : null;
}

/** Return a place for each tile, its own where it may stay; null when the labels differ. */
function matched(tiles, cells) {
  const free = new Map();
  const places = tiles.map((tile) => (cells[tile.cell] === tile.label ? tile.cell : -1));
  cells.forEach((label, cell) => {
    if (isStill(label) || label === BLANK || places.includes(cell)) return;
    if (!free.has(label)) free.set(label, []);
    free.get(label).push(cell);
  });
  for (const [index, tile] of tiles.entries()) {
    if (places[index] < 0) places[index] = free.get(tile.label)?.shift() ?? -1;
  }
  const isWhole = [...free.values()].every((rest) => !rest.length);
  return isWhole && !places.includes(-1) ? places : null;
}

function isStill(label) {
  return label === WALL || label === ANY;
}

/** Return for each cell of a tile the cell of the picture it shows, by the homes of equal tiles. */
function homesOf(cells, goal) {
  const wanted = new Map();
  goal?.forEach((label, cell) => {
    if (!wanted.has(label)) wanted.set(label, []);
    wanted.get(label).push(cell);
  });
  const homes = new Map();
  cells.forEach((label, cell) => {
    const home = label === BLANK || label === WALL ? undefined : wanted.get(label)?.shift();
    if (home !== undefined) homes.set(cell, home);
  });
  return homes;
}

function labelText(label, x, y, size, room) {
  const shown = short(label);
  const fitting = Math.min(size, room / (shown.length * 0.62));
  const text = drawn("text", { x, y: y + fitting * 0.355, "text-anchor": "middle" }, shown);
  text.style.fontSize = `${fitting}px`;
  return text;
}

function short(label) {
  const word = String(label);
  return word.length <= LETTERS ? word : `${word.slice(0, LETTERS - 1)}…`;
}

/** Return the parts of the one who walks in a grid world: the blank with a face. */
function agentParts() {
  return [
    drawn("circle", { class: "agent-face", cx: 50, cy: 50, r: 27 }),
    drawn("circle", { class: "agent-line", cx: 41, cy: 44, r: 3 }),
    drawn("circle", { class: "agent-line", cx: 59, cy: 44, r: 3 }),
    drawn("path", { class: "agent-smile", d: "M38 56 Q50 68 62 56" }),
  ];
}

function spoken(cells, columns) {
  const words = new Map([[BLANK, "blank"], [WALL, "wall"], [FILLER, "filler"], [ANY, "any"]]);
  return writeBoard(
    cells.map((label) => words.get(label) ?? label),
    columns,
  );
}
