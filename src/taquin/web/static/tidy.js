// The layout of a tree that is narrow, even and readable.
//
//        o          a parent is centred over its children; subtrees are as close as their
//      ┌─┴─┐        outlines allow; mirrored trees get mirrored drawings
//      o   o
//
// After Reingold and Tilford (1981): the mean of a packing from the left and one from the right.
// `views/tidy.py` has the same rules for the pictures of the command line. Time is linear.

const SIBLINGS = 1;
const COUSINS = 1.2;
const TREES = 1.6;

/** Return the horizontal position of each node, from 0 on; -1 is the parent of a root. */
export function tidy(parents) {
  const children = parents.map(() => []);
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

/** Return each node's offset from its parent when subtrees are packed in one direction. */
function pack(children, roots, forward) {
  const offsets = new Float64Array(children.length);
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

/** Place subtrees side by side, centred; return their common outline. */
function beside(nodes, outlines, offsets, firstGap, gap, forward) {
  if (!nodes.length) return { left: [], right: [], shift: 0 };
  const ordered = forward ? nodes : [...nodes].reverse();
  let merged = outlines[ordered[0]];
  for (const node of ordered.slice(1)) {
    const added = outlines[node];
    const depth = Math.min(merged.left.length, added.left.length);
    let place = -Infinity;
    for (let level = 1; level <= depth; level += 1) {
      const apart = merged.right[merged.right.length - level] - added.left[added.left.length - level];
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

/** Return the outline of two subtrees side by side; only the levels that both have change. */
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
