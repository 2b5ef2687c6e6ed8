// Which part of a drawing is seen, and how large: pan and zoom as pure functions of a camera.
//
//   screen = (world − {x, y}) · scale

const LEAST = 0.02;
const MOST = 4;
const MARGIN = 24;
/** Below this a card cannot be read, so a tree is followed instead of shown whole. */
const READABLE = 0.55;

/** Return the camera after a drag of so many pixels. */
export function panned(camera, right, down) {
  return { ...camera, x: camera.x - right / camera.scale, y: camera.y - down / camera.scale };
}

/** Return the camera nearer by a factor, with what is at a point of the screen staying there. */
export function zoomed(camera, factor, [atX, atY]) {
  const scale = Math.min(MOST, Math.max(LEAST, camera.scale * factor));
  return {
    x: camera.x + atX / camera.scale - atX / scale,
    y: camera.y + atY / camera.scale - atY / scale,
    scale,
  };
}

/** Return the camera that shows everything. */
export function fitted({ right, bottom, top = 0 }, [width, height]) {
  const scale = Math.min(1.4, (width - 2 * MARGIN) / right, (height - 2 * MARGIN) / (bottom - top));
  const bounded = Math.max(LEAST, scale);
  return {
    x: right / 2 - width / 2 / bounded,
    y: (top + bottom) / 2 - height / 2 / bounded,
    scale: bounded,
  };
}

/** Return the camera that keeps a spot in view: the whole tree, while that can be read. */
export function following(extent, spot, size) {
  const whole = fitted(extent, size);
  if (whole.scale >= READABLE || spot === null) return whole;
  const [width, height] = size;
  const camera = { scale: READABLE };
  camera.x = held(spot.x, width / READABLE, 0, extent.right);
  camera.y = held(spot.y, height / READABLE, extent.top ?? 0, extent.bottom);
  return camera;
}

/** Return where a window of `room` begins so that `spot` is in its middle, but never outside. */
function held(spot, room, least, most) {
  const margin = MARGIN / READABLE;
  if (most - least + 2 * margin <= room) return (least + most - room) / 2;
  return Math.min(Math.max(spot - room / 2, least - margin), most + margin - room);
}
