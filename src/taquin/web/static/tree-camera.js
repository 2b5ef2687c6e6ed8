// The camera of a drawing: pan and zoom as pure functions.
//
//   screen x = (x − camera.x) · scale
//   screen y = (y − camera.y) · vertical, which is at least the scale
//
// A search tree is far wider than high. Zoomed out, its levels would collapse into one line; `least`,
// the least vertical scale, keeps them apart.

/** @typedef {{x: number, y: number, scale: number, least?: number}} Camera */

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

/** Return the vertical scale. */
export function vertical({ scale, least = 0 }) {
  return Math.max(scale, least);
}

/** Return the least vertical scale for a number of levels, `step` units apart, in a window. */
export function leastFor(levels, step, height) {
  return Math.min(LEVEL_PIXELS, Math.max(1, (height - 2 * MARGIN - COVERED) / Math.max(1, levels))) / step;
}

/** Return the camera after a drag in pixels. */
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
 * @returns {Camera}
 */
export function fitted({ right, bottom, top = 0, least = 0 }, [width, height]) {
  const fitHeight = (height - 2 * MARGIN - COVERED) / (bottom - top);
  const fitWidth = (width - 2 * MARGIN) / right;
  // If levels are kept apart, only the width decides.
  const scale = Math.max(FARTHEST, Math.min(1.4, fitWidth, Math.max(fitHeight, fitWidth < least ? least : 0)));
  const x = right / 2 - width / 2 / scale;
  const y = (top + bottom) / 2 - (height + COVERED) / 2 / vertical({ scale, least });
  return { x, y, scale, least };
}

/** Return the camera that keeps a point in view: the whole tree if that can be read. */
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

/** Return the start of a window of `size` centred on `point`, kept within `least` and `most`. */
function windowStart(point, size, least, most, margin) {
  if (most - least + 2 * margin <= size) return (least + most - size) / 2;
  return Math.min(Math.max(point - size / 2, least - margin), most + margin - size);
}
