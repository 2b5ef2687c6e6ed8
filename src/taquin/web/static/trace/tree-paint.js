// Painting the cards and edges of a search tree on a canvas.
//
// The cards of one status are one path, so 2,000 of them need only a few strokes. Boards are painted
// only where they are large enough to read.

import { movedCells } from "../puzzle/puzzle.js";

const LOOKS = ["duplicate", "cut", "pruned", "waiting", "expanded", "only", "goal"];
const DASHED = ["duplicate", "cut", "pruned"];
const WITH_BOARD = 0.32;
const WITH_FRAME = 0.1;
/** The size of a cell, in pixels, from which round corners are visible. */
const ROUNDED = 17;

/** Paint the edges; those of the path are on top. */
export function paintEdges(context, scene) {
  const { colours, scale, path } = scene;
  const plain = new Path2D();
  const dashes = new Path2D();
  const current = new Path2D();
  const solution = new Path2D();
  for (const index of scene.edges) {
    const child = scene.nodes[index];
    const parent = scene.nodes[child.parent];
    const isDashed = DASHED.includes(child.status) || (child.isGuest && !parent.isGuest);
    let edges = isDashed ? dashes : plain;
    if (path.has(index) && path.has(child.parent)) edges = current;
    if (child.onPath && parent.onPath) edges = solution;
    addEdge(edges, scene, index, child.parent);
  }
  context.lineWidth = Math.max(1.5, 0.7 / scale);
  context.strokeStyle = colours.line;
  context.stroke(plain);
  dashed(context, scale, () => context.stroke(dashes));
  context.lineWidth = Math.max(4, 2.5 / scale);
  context.strokeStyle = colours.accent;
  context.stroke(current);
  context.strokeStyle = colours.path;
  context.stroke(solution);
}

function addEdge(path, { left, top, card, scale }, child, parent) {
  const x0 = left[parent] + card.width / 2;
  const y0 = top[parent] + card.height;
  const x1 = left[child] + card.width / 2;
  const y1 = top[child];
  path.moveTo(x0, y0);
  const middle = (y0 + y1) / 2;
  if (scale < WITH_FRAME) path.lineTo(x1, y1);
  else path.bezierCurveTo(x0, middle, x1, middle, x1, y1);
}

/** Paint the visible cards. */
export function paintCards(context, scene) {
  const { looks, visible, scale } = scene;
  for (const look of LOOKS) {
    const group = visible.filter((index) => looks.get(index) === look);
    if (group.length) paintFrames(context, scene, group, look);
  }
  if (scale >= WITH_BOARD) for (const index of visible) paintInside(context, scene, index);
  paintRings(context, scene);
  paintCaptions(context, scene, visible);
}

function paintFrames(context, scene, group, look) {
  const { colours, left, top, card, scale } = scene;
  const path = new Path2D();
  for (const index of group) {
    if (scale < WITH_FRAME)
      path.rect(
        left[index],
        top[index],
        Math.max(card.width, 2 / scale),
        Math.max(card.height, 6 / scale),
      );
    else path.roundRect(left[index], top[index], card.width, card.height, 7);
  }
  context.fillStyle = scale < WITH_FRAME ? colours[look] : colours[`${look}-soft`];
  context.fill(path);
  if (scale < WITH_FRAME) return;
  context.strokeStyle = colours[look];
  context.lineWidth = (look === "only" ? 2 : 1) * Math.max(1.5, 0.9 / scale);
  if (DASHED.includes(look)) dashed(context, scale, () => context.stroke(path));
  else context.stroke(path);
}

function dashed(context, scale, paint) {
  context.setLineDash([4, 3].map((length) => Math.max(length, 2 / scale)));
  paint();
  context.setLineDash([]);
}

/** Ring the current board and the boards of the solution. */
function paintRings(context, { colours, nodes, visible, left, top, card, scale, current }) {
  const solution = new Path2D();
  for (const index of scale < WITH_FRAME ? [] : visible) {
    if (nodes[index].onPath)
      solution.roundRect(left[index], top[index], card.width, card.height, 7);
  }
  context.lineWidth = Math.max(3, 2 / scale);
  context.strokeStyle = colours.path;
  context.stroke(solution);
  if (current < 0) return;
  const margin = Math.max(4, 3 / scale);
  const [width, height] = [Math.max(card.width, 3 / scale), Math.max(card.height, 6 / scale)];
  const ring = new Path2D();
  ring.roundRect(
    left[current] - margin,
    top[current] - margin,
    width + 2 * margin,
    height + 2 * margin,
    10,
  );
  context.lineWidth = Math.max(3, 2.5 / scale);
  context.strokeStyle = nodes[current].onPath ? colours.path : colours.accent;
  context.stroke(ring);
}

/** Paint the board of a card, its numbers, and a badge with the ordinals of its expansions. */
function paintInside(context, scene, index) {
  const { colours, nodes, left, top, card, numbers } = scene;
  const { node, ordinals } = nodes[index];
  paintBoard(context, scene, node, left[index] + card.inset, top[index] + card.top);
  context.textAlign = "center";
  context.fillStyle = colours.ink;
  context.font = "10px system-ui, sans-serif";
  context.fillText(numbers(node), left[index] + card.width / 2, top[index] + card.height - 5);
  if (ordinals.length) paintBadge(context, scene, index, ordinals.join("·"));
}

/** Paint the cells of a board; its corner is at x, y. */
export function paintBoard(context, { colours, card, scale }, node, x, y) {
  const { cell } = card;
  const moved = movedCells(node);
  const margin = cell * 0.05;
  const side = cell - 2 * margin;
  const paintTile = cell * scale < ROUNDED ? paintSquare : paintRounded;
  const hasAgent = node.cells.includes(".");
  node.cells.forEach((label, at) => {
    const left = x + (at % node.columns) * cell + margin;
    const top = y + Math.floor(at / node.columns) * cell + margin;
    if (label === 0 && hasAgent)
      paintAgent(context, left + side / 2, top + side / 2, side * 0.3, colours.agent);
    if (label === 0) return;
    const [fill, line] = tileColours(colours, label, moved.includes(at));
    paintTile(context, left, top, side, fill, line);
  });
  paintLabels(context, colours, node, x, y, cell);
}

function paintAgent(context, x, y, radius, colour) {
  context.beginPath();
  context.arc(x, y, radius, 0, 2 * Math.PI);
  context.fillStyle = colour;
  context.fill();
}

function tileColours(colours, label, isMoved) {
  if (label === "#") return [colours.wall, colours.wall];
  if (isMoved) return [colours.moved, colours["moved-line"]];
  if (label === ".") return [colours.filler, colours.filler];
  return [colours.tile, colours["tile-line"]];
}

/** Paint a small tile: a plain rectangle takes a tenth of the time of a rounded one. */
function paintSquare(context, left, top, side, fill, line) {
  context.fillStyle = line;
  context.fillRect(left, top, side, side);
  context.fillStyle = fill;
  context.fillRect(left + 0.8, top + 0.8, side - 1.6, side - 1.6);
}

function paintRounded(context, left, top, side, fill, line) {
  context.beginPath();
  context.roundRect(left, top, side, side, side * 0.15);
  context.fillStyle = fill;
  context.fill();
  context.lineWidth = 0.8;
  context.strokeStyle = line;
  context.stroke();
}

function paintLabels(context, colours, node, x, y, cell) {
  context.fillStyle = colours["tile-ink"];
  context.textAlign = "center";
  let lastSize = 0;
  node.cells.forEach((label, at) => {
    if (label === 0 || label === "#" || label === ".") return;
    const word = String(label).slice(0, 4);
    const size = Math.min(cell * 0.58, (cell * 1.5) / word.length);
    // Setting a font costs more than writing with it.
    if (size !== lastSize) context.font = `${size}px system-ui, sans-serif`;
    lastSize = size;
    const middle = x + ((at % node.columns) + 0.5) * cell;
    context.fillText(word, middle, y + (Math.floor(at / node.columns) + 0.5) * cell + size * 0.36);
  });
}

function paintBadge(context, { colours, looks, left, top }, index, word) {
  const width = Math.max(16, word.length * 5.9 + 8);
  const disc = new Path2D();
  disc.roundRect(left[index] - 6, top[index] - 6, width, 16, 8);
  context.fillStyle = colours[looks.get(index)];
  context.fill(disc);
  context.fillStyle = colours.page;
  context.font = "bold 9px system-ui, sans-serif";
  context.textAlign = "center";
  context.fillText(word, left[index] - 6 + width / 2, top[index] + 5.3);
}

function paintCaptions(context, { colours, nodes, left, top, card, scale }, visible) {
  if (scale < WITH_FRAME) return;
  context.fillStyle = colours.note;
  context.textAlign = "center";
  context.font = `${Math.max(11, 10 / scale)}px system-ui, sans-serif`;
  for (const index of visible) {
    if (nodes[index].caption) {
      context.fillText(nodes[index].caption, left[index] + card.width / 2, top[index] - 13);
    }
  }
}
