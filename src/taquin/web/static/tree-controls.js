// Pan and zoom of a canvas by mouse, touch and keys.

const KEYS = {
  ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60],
};
const ZOOM = 1.3;
/** A pointer that moves fewer pixels than this clicks. */
const CLICK = 4;

/**
 * Call the methods of a picture for the input on its canvas: `pan(right, down, {glide})`,
 * `zoom(factor, at, {glide})`, `fit()`, `follow()`, `pick(at)` for a click, and `point(at)` with null
 * if the pointer left.
 */
export function attachControls(canvas, picture) {
  const pointers = new Map();
  /** Where the pointer was pressed; null once it has moved: that is not a click. */
  let pressedAt = null;

  function position(event) {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  /** Pan with one pointer; with two, zoom as well. */
  function drag(id, now) {
    const before = pointers.get(id);
    const [right, down] = [now[0] - before[0], now[1] - before[1]];
    if (Math.hypot(right, down) < 1) return;
    const other = [...pointers].find(([otherId]) => otherId !== id)?.[1];
    if (other || Math.hypot(now[0] - pressedAt?.[0], now[1] - pressedAt?.[1]) > CLICK) pressedAt = null;
    pointers.set(id, now);
    picture.point(null);
    if (!other) return picture.pan(right, down);
    const distance = ([x, y]) => Math.hypot(x - other[0], y - other[1]);
    const middle = [(now[0] + other[0]) / 2, (now[1] + other[1]) / 2];
    picture.pan(right / 2, down / 2);
    return picture.zoom(distance(now) / Math.max(1, distance(before)), middle);
  }

  function press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in KEYS) picture.pan(...KEYS[event.key], { glide: true });
    else if (event.key === "+" || event.key === "=") picture.zoom(ZOOM, undefined, { glide: true });
    else if (event.key === "-") picture.zoom(1 / ZOOM, undefined, { glide: true });
    else if (event.key === "0") picture.fit();
    else if (event.key === "f") picture.follow();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  function lift(event) {
    pointers.delete(event.pointerId);
    if (event.pointerType !== "mouse") picture.point(position(event));
  }

  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    picture.zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0018)), position(event), { glide: true });
  }, { passive: false });
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, position(event));
    pressedAt = pointers.size === 1 ? position(event) : null;
  });
  canvas.addEventListener("pointermove", (event) => {
    if (pointers.has(event.pointerId)) drag(event.pointerId, position(event));
    else picture.point(position(event));
  });
  canvas.addEventListener("pointerup", (event) => {
    lift(event);
    if (pressedAt) picture.pick(pressedAt);
    pressedAt = null;
  });
  canvas.addEventListener("pointercancel", lift);
  canvas.addEventListener("pointerleave", () => picture.point(null));
  canvas.addEventListener("keydown", press);
}
