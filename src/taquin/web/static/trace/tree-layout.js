// Where the cards of a search tree are: their sizes and positions, the part that is visible, and the camera.
//
// Units are those of the pictures of the command line: a card holds a board of at most 84 units, with
// its numbers at the foot. A guest, a board expanded beyond the drawn tree, and its children are drawn
// below the nearest node of the tree.

/** @import { Drawn, Place, SearchTree } from "./trace-model.js" */
/** @import { SearchNode } from "./trace-steps.js" */
/**
 * @typedef {{cell: number, inset: number, top: number, width: number, height: number}} Card
 * @typedef {Omit<Drawn, "step"> & {step?: number, isGuest?: boolean}} Shown
 * @typedef {{left: Float64Array, top: Float64Array}} Positions
 * @typedef {{left: number, top: number, right: number, bottom: number}} Area
 * @typedef {Positions & {nodes: Shown[], card: Card, scale: number}} Scene
 * @typedef {{left: number[], right: number[], shift: number}} Outline
 */

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

/**
 * Return the size of the cards for boards of this shape.
 * @param {number} rows
 * @param {number} columns
 * @param {number} letters
 * @returns {Card}
 */
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

/**
 * Return the nodes to draw, each `{parent, level, …}`: those of the tree, and the guests.
 * @param {SearchTree} tree
 * @param {Place | null} place
 * @param {SearchNode | null} current
 * @param {{node: SearchNode, status: string}[]} children
 * @returns {Shown[]}
 */
export function drawnNodes(tree, place, current, children) {
  if (place === null || place.beyond === 0 || current === null) return tree.nodes;
  const level = tree.nodes[place.at].level + 1;
  const at = tree.nodes.length;
  /** @type {(node: SearchNode, parent: number, status: string, below: number) => Shown} */
  const guest = (node, parent, status, below) => ({
    node,
    parent,
    level: level + below,
    status,
    ordinals: [],
    onPath: false,
    caption: "",
    isGuest: true,
  });
  return [
    ...tree.nodes,
    guest(current, place.at, "expanded", 0),
    ...children.map(({ node, status }) => guest(node, at, status, 1)),
  ];
}

/**
 * Return the nodes without discarded ones, and the new index of each, -1 for none.
 * @param {Shown[]} nodes
 */
export function withoutDiscarded(nodes) {
  const index = new Int32Array(nodes.length).fill(-1);
  /** @type {Shown[]} */
  const kept = [];
  nodes.forEach((node, at) => {
    if (DISCARDED.includes(node.status) || (node.parent >= 0 && index[node.parent] < 0)) return;
    index[at] = kept.length;
    kept.push({ ...node, parent: node.parent < 0 ? -1 : index[node.parent] });
  });
  return { nodes: kept, index };
}

/**
 * Return the position of every card; `card` is the result of `cardSize`.
 * @param {Shown[]} nodes
 * @param {Card} card
 */
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

/**
 * Return positions between old and new ones, at a part of the way; a new card starts at its parent.
 * @param {Scene} scene
 * @param {Positions} from
 * @param {number} part
 */
export function interpolate({ left, top, nodes }, from, part) {
  const now = { left: new Float64Array(nodes.length), top: new Float64Array(nodes.length) };
  for (let index = 0; index < nodes.length; index += 1) {
    const { parent } = nodes[index];
    for (const [position, before, target] of [
      [now.left, from.left, left],
      [now.top, from.top, top],
    ]) {
      const origin =
        index < before.length ? before[index] : parent < 0 ? target[index] : position[parent];
      position[index] = origin + (target[index] - origin) * part;
    }
  }
  return now;
}

/**
 * Return the indices of the cards inside an area of the drawing.
 * @param {Scene} scene
 * @param {Area} area
 */
export function visibleCards({ nodes, left, top, card, scale }, area) {
  const height = Math.max(card.height, 6 / scale);
  const indices = [];
  for (let index = 0; index < nodes.length; index += 1) {
    if (
      left[index] < area.right &&
      left[index] + card.width > area.left - 10 &&
      top[index] < area.bottom + CAPTION &&
      top[index] + height > area.top - 10
    )
      indices.push(index);
  }
  return indices;
}

/**
 * Return the indices of the cards whose edges to their parents cross an area.
 * @param {Omit<Scene, "scale">} scene
 * @param {Area} area
 */
export function visibleEdges({ nodes, left, top, card }, area) {
  const indices = [];
  for (let index = 0; index < nodes.length; index += 1) {
    const { parent } = nodes[index];
    if (parent < 0) continue;
    const [childX, parentX] = [left[index], left[parent]];
    if (
      top[index] > area.top &&
      top[parent] < area.bottom &&
      Math.min(childX, parentX) < area.right &&
      Math.max(childX, parentX) + card.width > area.left
    )
      indices.push(index);
  }
  return indices;
}

// --- a tree that is narrow, even and readable --------------------------------------------------
//
//        o          a parent is centred over its children; subtrees are as close as their
//      ┌─┴─┐        outlines allow; mirrored trees get mirrored drawings
//      o   o
//
// After Reingold and Tilford (1981): the mean of a packing from the left and one from the right.
// `views/tree.py` has the same rules for the pictures of the command line. Time is linear.

const SIBLINGS = 1;
const COUSINS = 1.2;
const TREES = 1.6;

/**
 * Return the horizontal position of each node, from 0 on; -1 is the parent of a root.
 * @param {number[]} parents
 */
export function tidy(parents) {
  /** @type {number[][]} */
  const children = parents.map(() => []);
  /** @type {number[]} */
  const roots = [];
  for (const [node, parent] of parents.entries()) {
    (parent < 0 ? roots : children[parent]).push(node);
  }
  const fromLeft = pack(children, roots, true);
  const fromRight = pack(children, roots, false);
  const places = new Float64Array(parents.length);
  let leftmost = Infinity;
  for (let node = 0; node < parents.length; node += 1) {
    const offset = (fromLeft[node] - fromRight[node]) / 2;
    places[node] = parents[node] < 0 ? offset : places[parents[node]] + offset;
    leftmost = Math.min(leftmost, places[node]);
  }
  return places.map((place) => place - leftmost);
}

/**
 * Return each node's offset from its parent when subtrees are packed in one direction.
 * @param {number[][]} children
 * @param {number[]} roots
 * @param {boolean} forward
 */
function pack(children, roots, forward) {
  const offsets = new Float64Array(children.length);
  /** @type {Outline[]} */
  const outlines = new Array(children.length);
  for (let node = children.length - 1; node >= 0; node -= 1) {
    const outline = beside(children[node], outlines, offsets, SIBLINGS, COUSINS, forward);
    // The deepest level comes first, so that a parent is added at the end.
    outline.left.push(-outline.shift);
    outline.right.push(-outline.shift);
    outlines[node] = outline;
  }
  beside(roots, outlines, offsets, TREES, TREES, forward);
  return offsets;
}

/**
 * Place subtrees side by side, centred; return their common outline.
 * @param {number[]} nodes
 * @param {Outline[]} outlines
 * @param {Float64Array} offsets
 * @param {number} firstGap
 * @param {number} gap
 * @param {boolean} forward
 * @returns {Outline}
 */
function beside(nodes, outlines, offsets, firstGap, gap, forward) {
  if (!nodes.length) return { left: [], right: [], shift: 0 };
  const ordered = forward ? nodes : [...nodes].reverse();
  let merged = outlines[ordered[0]];
  for (const node of ordered.slice(1)) {
    const added = outlines[node];
    const depth = Math.min(merged.left.length, added.left.length);
    let place = -Infinity;
    for (let level = 1; level <= depth; level += 1) {
      const apart =
        merged.right[merged.right.length - level] - added.left[added.left.length - level];
      place = Math.max(place, apart + (level === 1 ? firstGap : gap));
    }
    place += merged.shift - added.shift;
    added.shift += place;
    offsets[node] = place;
    merged = merge(merged, added, depth);
  }
  const centre = offsets[ordered[ordered.length - 1]] / 2;
  for (const node of ordered) offsets[node] -= centre;
  merged.shift -= centre;
  return merged;
}

/**
 * Return the outline of two subtrees side by side; only the levels that both have change.
 * @param {Outline} first
 * @param {Outline} second
 * @param {number} depth
 */
function merge(first, second, depth) {
  const between = second.shift - first.shift;
  if (first.left.length >= second.left.length) {
    for (let level = 1; level <= depth; level += 1) {
      first.right[first.right.length - level] = second.right[second.right.length - level] + between;
    }
    return first;
  }
  for (let level = 1; level <= depth; level += 1) {
    second.left[second.left.length - level] = first.left[first.left.length - level] - between;
  }
  return second;
}

// --- the camera: pan and zoom ------------------------------------------------------------------
//
//   screen x = (x − camera.x) · scale
//   screen y = (y − camera.y) · vertical, which is at least the scale
//
// A search tree is far wider than high. Zoomed out, its levels would collapse into one line; `least`,
// the least vertical scale, keeps them apart.

/** @typedef {{x: number, y: number, scale: number, least?: number}} Camera */
/** @typedef {{right: number, bottom: number, top?: number, least?: number}} Extent */

const NEAREST = 4;
const FARTHEST = 0.002;
const MARGIN = 24;
/** Pixels at the top that buttons cover. */
const COVERED = 34;
/** At a smaller scale cards cannot be read; the camera then follows one card instead. */
export const READABLE = 0.55;
/** The same for those who sit at the back of a room. */
export const READABLE_AFAR = 1.25;
/** Pixels between levels when zoomed out, if they fit. */
const LEVEL_PIXELS = 40;

/** Return the vertical scale. @param {{scale: number, least?: number}} camera */
export function vertical({ scale, least = 0 }) {
  return Math.max(scale, least);
}

/**
 * Return the least vertical scale for a number of levels, `step` units apart, in a window.
 * @param {number} levels
 * @param {number} step
 * @param {number} height
 */
export function leastFor(levels, step, height) {
  return (
    Math.min(LEVEL_PIXELS, Math.max(1, (height - 2 * MARGIN - COVERED) / Math.max(1, levels))) /
    step
  );
}

/**
 * Return the camera after a drag in pixels.
 * @param {Camera} camera
 * @param {number} right
 * @param {number} down
 * @returns {Camera}
 */
export function panned(camera, right, down) {
  return { ...camera, x: camera.x - right / camera.scale, y: camera.y - down / vertical(camera) };
}

/**
 * Return the camera zoomed by a factor around a point of the screen.
 * @param {Camera} camera
 * @param {number} factor
 * @param {number[]} point
 */
export function zoomed(camera, factor, [atX, atY]) {
  const scale = Math.min(NEAREST, Math.max(FARTHEST, camera.scale * factor));
  const next = { ...camera, scale };
  next.x = camera.x + atX / camera.scale - atX / scale;
  next.y = camera.y + atY / vertical(camera) - atY / vertical(next);
  return next;
}

/**
 * Return the camera that shows the whole drawing.
 * @param {Extent} extent
 * @param {number[]} size
 * @returns {Camera}
 */
export function fitted({ right, bottom, top = 0, least = 0 }, [width, height]) {
  const fitHeight = (height - 2 * MARGIN - COVERED) / (bottom - top);
  const fitWidth = (width - 2 * MARGIN) / right;
  // If levels are kept apart, only the width decides.
  const scale = Math.max(
    FARTHEST,
    Math.min(1.4, fitWidth, Math.max(fitHeight, fitWidth < least ? least : 0)),
  );
  const x = right / 2 - width / 2 / scale;
  const y = (top + bottom) / 2 - (height + COVERED) / 2 / vertical({ scale, least });
  return { x, y, scale, least };
}

/**
 * Return the camera that keeps a point in view: the whole tree if that can be read.
 * @param {Extent} extent
 * @param {{x: number, y: number} | null} point
 * @param {number[]} size
 * @param {number} [readable]
 * @returns {Camera}
 */
export function following(extent, point, size, readable = READABLE) {
  const whole = fitted(extent, size);
  if (whole.scale >= readable || point === null) return whole;
  const [width, height] = size;
  const margin = MARGIN / readable;
  return {
    scale: readable,
    least: extent.least,
    x: windowStart(point.x, width / readable, 0, extent.right, margin),
    y: windowStart(point.y, height / readable, extent.top ?? 0, extent.bottom, margin),
  };
}

/**
 * Return the start of a window of `size` centred on `point`, kept within `least` and `most`.
 * @param {number} point
 * @param {number} size
 * @param {number} least
 * @param {number} most
 * @param {number} margin
 */
function windowStart(point, size, least, most, margin) {
  if (most - least + 2 * margin <= size) return (least + most - size) / 2;
  return Math.min(Math.max(point - size / 2, least - margin), most + margin - size);
}
