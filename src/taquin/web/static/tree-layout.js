// The sizes and positions of the cards of a search tree.
//
// Units are those of the pictures of the command line: a card holds a board of at most 84 units, with
// its numbers at the foot. A guest, a board expanded beyond the drawn tree, and its children are drawn
// below the nearest node of the tree.

import { tidy } from "./tidy.js";

const PADDING = 6;
const FOOT = 17;
const BETWEEN = 14;
const LEVEL = 40;
const BOARD = 84;
const LARGEST = 21;
const LETTER = 6.1;
/** Units above a root for its caption. */
export const CAPTION = 30;
const DISCARDED = ["duplicate", "cut", "pruned"];

/** Return the size of the cards for boards of this shape. */
export function cardSize(rows, columns, letters) {
  const cell = Math.min(LARGEST, BOARD / Math.max(rows, columns));
  const board = columns * cell;
  return {
    cell,
    inset: (Math.max(board, letters * LETTER) - board) / 2 + PADDING,
    top: PADDING,
    width: Math.max(board, letters * LETTER) + 2 * PADDING,
    height: rows * cell + PADDING + FOOT,
  };
}

/** Return the nodes to draw, each `{parent, level, …}`: those of the tree, and the guests. */
export function drawnNodes(tree, place, current, children) {
  if (place === null || place.beyond === 0 || current === null) return tree.nodes;
  const level = tree.nodes[place.at].level + 1;
  const at = tree.nodes.length;
  const guest = (node, parent, status, below) => (
    { node, parent, level: level + below, status, ordinals: [], onPath: false, caption: "", isGuest: true }
  );
  return [
    ...tree.nodes,
    guest(current, place.at, "expanded", 0),
    ...children.map(({ node, status }) => guest(node, at, status, 1)),
  ];
}

/** Return the nodes without discarded ones, and the new index of each, -1 for none. */
export function withoutDiscarded(nodes) {
  const index = new Int32Array(nodes.length).fill(-1);
  const kept = [];
  nodes.forEach((node, at) => {
    if (DISCARDED.includes(node.status) || (node.parent >= 0 && index[node.parent] < 0)) return;
    index[at] = kept.length;
    kept.push({ ...node, parent: node.parent < 0 ? -1 : index[node.parent] });
  });
  return { nodes: kept, index };
}

/** Return the position of every card; `card` is the result of `cardSize`. */
export function layOut(nodes, card) {
  const places = tidy(nodes.map(({ parent }) => parent));
  const left = new Float64Array(nodes.length);
  const top = new Float64Array(nodes.length);
  let right = 0;
  let bottom = 0;
  nodes.forEach(({ level }, index) => {
    left[index] = places[index] * (card.width + BETWEEN);
    top[index] = level * (card.height + LEVEL);
    right = Math.max(right, left[index] + card.width);
    bottom = Math.max(bottom, top[index] + card.height);
  });
  return { left, top, right, bottom, step: card.height + LEVEL };
}

/** Return positions between old and new ones, at a part of the way; a new card starts at its parent. */
export function interpolate({ left, top, nodes }, from, part) {
  const now = { left: new Float64Array(nodes.length), top: new Float64Array(nodes.length) };
  for (let index = 0; index < nodes.length; index += 1) {
    const { parent } = nodes[index];
    for (const [position, before, target] of [[now.left, from.left, left], [now.top, from.top, top]]) {
      const origin = index < before.length ? before[index] : parent < 0 ? target[index] : position[parent];
      position[index] = origin + (target[index] - origin) * part;
    }
  }
  return now;
}

/** Return the indices of the cards inside an area of the drawing. */
export function visibleCards({ nodes, left, top, card, scale }, area) {
  const height = Math.max(card.height, 6 / scale);
  const indices = [];
  for (let index = 0; index < nodes.length; index += 1) {
    if (left[index] < area.right && left[index] + card.width > area.left - 10
      && top[index] < area.bottom + CAPTION && top[index] + height > area.top - 10) indices.push(index);
  }
  return indices;
}

/** Return the indices of the cards whose edges to their parents cross an area. */
export function visibleEdges({ nodes, left, top, card }, area) {
  const indices = [];
  for (let index = 0; index < nodes.length; index += 1) {
    const { parent } = nodes[index];
    if (parent < 0) continue;
    const [childX, parentX] = [left[index], left[parent]];
    if (top[index] > area.top && top[parent] < area.bottom
      && Math.min(childX, parentX) < area.right && Math.max(childX, parentX) + card.width > area.left) indices.push(index);
  }
  return indices;
}
