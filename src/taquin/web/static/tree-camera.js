// Which part of a drawing is seen, and how large: pan and zoom as pure functions of a camera.
//
//   screen x = (x − camera.x) · scale
//   screen y = (y − camera.y) · vertical, which is the scale, or more
//
// A search tree is far wider than high. Seen from far away its levels would be one line; so levels
// never come closer than `least` lets them.

/**
 * @typedef {{x: number, y: number, scale: number, least?: number}} Camera
 */

const NEAREST = 4;
const FARTHEST = 0.002;
const MARGIN = 24;
/** Pixels at the top that the buttons cover. */
const COVERED = 34;
/** Below this a card cannot be read, so a tree is followed instead of shown whole. */
const READABLE = 0.55;
/** Pixels from level to level, seen from far away, where there is room for them. */
const APART = 40;

/** Return by how much heights are scaled. */
export function vertical({ scale, least = 0 }) {
  return Math.max(scale, least);
}

/** Return the least vertical scale for a tree of so many levels, each so high, in a window. */
export function leastFor(levels, step, height) {
  return Math.min(APART, Math.max(1, (height - 2 * MARGIN - COVERED) / Math.max(1, levels))) / step;
}

/** Return the camera after a drag of so many pixels. */
export function panned(camera, right, down) {
  return { ...camera, x: camera.x - right / camera.scale, y: camera.y - down / vertical(camera) };
}

/** Return the camera nearer by a factor, with what is at a point of the screen staying there. */
export function zoomed(camera, factor, at) {
  const [atX, atY] = at;
  const scale = Math.min(NEAREST, Math.max(FARTHEST, camera.scale * factor));
  const next = { ...camera, scale };
  next.x = camera.x + atX / camera.scale - atX / scale;
  next.y = camera.y + atY / vertical(camera) - atY / vertical(next);
  return next;
}

/**
 * Return the camera that shows everything.
 * @returns {Camera}
 */
export function fitted({ right, bottom, top = 0, least = 0 }, [width, height]) {
  const high = (height - 2 * MARGIN - COVERED) / (bottom - top);
  const wide = (width - 2 * MARGIN) / right;
  // Where levels are kept apart, only the width decides.
  const scale = Math.max(FARTHEST, Math.min(1.4, wide, Math.max(high, wide < least ? least : 0)));
  const x = right / 2 - width / 2 / scale;
  const y = (top + bottom) / 2 - (height + COVERED) / 2 / vertical({ scale, least });
  return { x, y, scale, least };
}

/** Return the camera that keeps a spot in view: the whole tree, while that can be read. */
export function following(extent, spot, size) {
  const whole = fitted(extent, size);
  if (whole.scale >= READABLE || spot === null) return whole;
  const [width, height] = size;
  return {
    scale: READABLE,
    least: extent.least,
    x: held(spot.x, width / READABLE, 0, extent.right),
    y: held(spot.y, height / READABLE, extent.top ?? 0, extent.bottom),
  };
}

/** Return where a window of `room` begins so that `spot` is in its middle, but never outside. */
function held(spot, room, least, most) {
  const margin = MARGIN / READABLE;
  if (most - least + 2 * margin <= room) return (least + most - room) / 2;
  return Math.min(Math.max(spot - room / 2, least - margin), most + margin - room);
}
