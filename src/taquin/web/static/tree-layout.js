// Where the cards of a search tree stand, and how large they are.
//
// Units are those of the pictures that the command line draws: a card holds a board of at most 84
// units, its numbers at the foot. A guest, who is expanded beyond the drawn tree, and its children
// hang below the nearest node that is drawn.

import { tidy } from "./tidy.js";

const PADDING = 6;
const FOOT = 17;
const BETWEEN = 14;
const LEVEL = 40;
const BOARD = 84;
const LARGEST = 21;
const LETTER = 6.1;
/** Units above a root that its caption takes. */
export const CAPTION = 30;
const THROWN = ["duplicate", "cut", "pruned"];

/** Return the measures of all cards of a search on boards of this shape. */
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

/** Return the drawn nodes, each `{parent, level, …}`: the tree's own and the guests. */
export function drawnNodes(tree, place, current, children) {
  if (place === null || place.beyond === 0 || current === null) return tree.nodes;
  const level = tree.nodes[place.at].level + 1;
  const at = tree.nodes.length;
  const guest = (node, parent, standing, below) => (
    { node, parent, level: level + below, standing, turns: [], onPath: false, caption: "", isGuest: true }
  );
  return [
    ...tree.nodes,
    guest(current, place.at, "expanded", 0),
    ...children.map(({ node, standing }) => guest(node, at, standing, 1)),
  ];
}

/** Return the nodes without those that were thrown away, and the new index of each, -1 for none. */
export function withoutThrown(nodes) {
  const index = new Int32Array(nodes.length).fill(-1);
  const left = [];
  nodes.forEach((each, at) => {
    if (THROWN.includes(each.standing) || (each.parent >= 0 && index[each.parent] < 0)) return;
    index[at] = left.length;
    left.push({ ...each, parent: each.parent < 0 ? -1 : index[each.parent] });
  });
  return { nodes: left, index };
}

/** Return the left and top of every card; `card` is what `cardSize` returned. */
export function layOut(nodes, card) {
  const places = tidy(nodes.map((each) => each.parent));
  const left = new Float64Array(nodes.length);
  const top = new Float64Array(nodes.length);
  let right = 0;
  let bottom = 0;
  nodes.forEach((each, index) => {
    left[index] = places[index] * (card.width + BETWEEN);
    top[index] = each.level * (card.height + LEVEL);
    right = Math.max(right, left[index] + card.width);
    bottom = Math.max(bottom, top[index] + card.height);
  });
  return { left, top, right, bottom, step: card.height + LEVEL };
}

/** Return the places a part of the way from where cards were; a new card comes out of its parent. */
export function onTheWay({ left, top, nodes }, from, part) {
  const now = { left: new Float64Array(nodes.length), top: new Float64Array(nodes.length) };
  for (let index = 0; index < nodes.length; index += 1) {
    const { parent } = nodes[index];
    for (const [way, before, there] of [[now.left, from.left, left], [now.top, from.top, top]]) {
      const origin = index < before.length ? before[index] : parent < 0 ? there[index] : way[parent];
      way[index] = origin + (there[index] - origin) * part;
    }
  }
  return now;
}

/** Return the indices of the cards within a part of the drawing. */
export function seen({ nodes, left, top, card, scale }, part) {
  const high = Math.max(card.height, 6 / scale);
  const found = [];
  for (let index = 0; index < nodes.length; index += 1) {
    if (left[index] < part.right && left[index] + card.width > part.left - 10
      && top[index] < part.bottom + CAPTION && top[index] + high > part.top - 10) found.push(index);
  }
  return found;
}

/** Return the indices of the cards whose edges to their parents pass through a part. */
export function seenEdges({ nodes, left, top, card }, part) {
  const found = [];
  for (let index = 0; index < nodes.length; index += 1) {
    const { parent } = nodes[index];
    if (parent < 0) continue;
    const [one, other] = [left[index], left[parent]];
    if (top[index] > part.top && top[parent] < part.bottom
      && Math.min(one, other) < part.right && Math.max(one, other) + card.width > part.left) found.push(index);
  }
  return found;
}
