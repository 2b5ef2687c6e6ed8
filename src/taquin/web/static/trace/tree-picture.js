// A search tree on a canvas, with pan and zoom. It stays smooth with thousands of nodes, because only
// the visible part is painted.

import { isProjected, onThemeChange, readColours } from "../page/appearance.js";
import {
  CAPTION,
  cardSize,
  drawnNodes,
  fitted,
  following,
  interpolate,
  layOut,
  leastFor,
  panned,
  READABLE,
  READABLE_AFAR,
  vertical,
  visibleCards,
  visibleEdges,
  withoutDiscarded,
  zoomed,
} from "./tree-layout.js";
import { paintCards, paintEdges } from "./tree-paint.js";

const GLIDE_MS = 220;

export class TreePicture {
  /** Whether the picture keeps the current board in view. */
  follows = true;
  /** Whether discarded boards are left out. */
  hidesDiscarded = false;
  /**
   * Returns the colour of a node: its status, or another token of the style sheet.
   * @type {(drawn: any) => string}
   */
  lookOf = ({ status }) => status;
  /**
   * Called with the node under the pointer, or null, and the position of the pointer.
   * @type {(node: any, at: number[] | null) => void}
   */
  onPoint = () => {};
  /**
   * Called with the node that was clicked.
   * @type {(node: any) => void}
   */
  onPick = () => {};
  /**
   * Called when the picture stops following, or follows again.
   * @type {(follows: boolean) => void}
   */
  onFollow = () => {};
  #canvas;
  #context;
  /** @type {import("./tree-layout.js").Camera} */
  #camera = { x: 0, y: 0, scale: 1 };
  /** @type {import("./tree-layout.js").Camera | null} */
  #target = null;
  #scene = null;
  #from = null;
  #began = 0;
  #frame = 0;
  /** @type {[number, number]} */
  #size = [0, 0];
  #cleanups = [];
  #reducedMotion = window.matchMedia("(prefers-reduced-motion: reduce)");

  constructor(canvas) {
    this.#canvas = canvas;
    this.#context = canvas.getContext("2d");
    this.colours = readColours();
    const resized = new ResizeObserver(() => this.#resize());
    resized.observe(canvas);
    this.#cleanups.push(() => resized.disconnect());
    this.#cleanups.push(
      onThemeChange(() => {
        this.colours = readColours();
        this.#requestPaint();
      }),
    );
    attachControls(canvas, this);
  }

  /** Show the tree of a model; with `glide` the cards move to their new positions. */
  show(model, children, numbers, { glide = true } = {}) {
    const before = this.#scene;
    if (!model.tree.nodes.length) return this.#clear();
    const all = drawnNodes(model.tree, model.place, model.current, children);
    const at = currentOf(model, all);
    const pathIndices = at >= 0 ? [at, ...model.path()] : [];
    // Copied, because the tree changes before this picture is painted.
    const { nodes, index } = this.hidesDiscarded
      ? withoutDiscarded(all)
      : { nodes: [...all], index: null };
    const card = this.#cardOf(model, nodes, numbers);
    const places = layOut(nodes, card);
    const current = index && at >= 0 ? index[at] : at;
    const path = new Set(index ? pathIndices.map((old) => index[old]) : pathIndices);
    this.#scene = { ...places, nodes, card, current, path, numbers, tree: model.tree, index };
    // Without discarded boards, an index may mean another board than before.
    const glides =
      glide &&
      !this.#reducedMotion.matches &&
      before?.tree === model.tree &&
      !index &&
      !before.index;
    this.#from = glides ? { left: before.left, top: before.top } : null;
    this.#began = performance.now();
    if (this.follows) this.#follow(glides);
    return this.#requestPaint();
  }

  #clear() {
    this.#scene = null;
    this.#context.setTransform(1, 0, 0, 1, 0, 0);
    this.#context.clearRect(0, 0, this.#canvas.width, this.#canvas.height);
  }

  /** Remove the picture. */
  remove() {
    cancelAnimationFrame(this.#frame);
    for (const cleanup of this.#cleanups) cleanup();
  }

  pan(right, down, { glide = false } = {}) {
    this.#setCamera(panned(this.#target ?? this.#camera, right, down), glide);
  }

  zoom(factor, at = [this.#size[0] / 2, this.#size[1] / 2], { glide = false } = {}) {
    this.#setCamera(zoomed(this.#target ?? this.#camera, factor, at), glide);
  }

  /** Report the board at a point of the canvas, or none. */
  point(at) {
    this.onPoint(this.#nodeAt(at), at);
  }

  /** Report the board that was clicked. */
  pick(at) {
    const node = this.#nodeAt(at);
    if (node) this.onPick(node);
  }

  #nodeAt(at) {
    const index = at && this.#scene ? cardAt(this.#scene, this.#camera, at) : -1;
    return index < 0 ? null : this.#scene.nodes[index];
  }

  /** Show the whole tree. */
  fit() {
    if (this.#scene) this.#setCamera(fitted(this.#extent(), this.#size), true);
  }

  /** Keep the current board in view from now on. */
  follow() {
    this.follows = true;
    this.onFollow(true);
    if (this.#scene) this.#follow(true);
    this.#requestPaint();
  }

  #cardOf(model, nodes, numbers) {
    const { cells, columns } = nodes[0].node;
    // Cards never become narrower, or all of them would jitter.
    const letters = numbers(model.current ?? nodes[0].node).length;
    const widest = Math.max(
      letters,
      this.#scene?.tree === model.tree ? this.#scene.card.letters : 0,
    );
    return { ...cardSize(cells.length / columns, columns, widest), letters: widest };
  }

  #extent([, height] = this.#size) {
    const { right, bottom, step } = this.#scene;
    return { right, bottom, top: -CAPTION, least: leastFor(bottom / step, step, height) };
  }

  #follow(glide) {
    const { current, left, top, card } = this.#scene;
    const point =
      current < 0 ? null : { x: left[current] + card.width / 2, y: top[current] + card.height };
    const camera = following(
      this.#extent(),
      point,
      this.#size,
      isProjected() ? READABLE_AFAR : READABLE,
    );
    if (glide && !this.#reducedMotion.matches) this.#target = camera;
    else [this.#camera, this.#target] = [camera, null];
  }

  /** Use a camera that the user chose. */
  #setCamera(camera, glide = false) {
    if (this.follows) {
      this.follows = false;
      this.onFollow(false);
    }
    if (glide && !this.#reducedMotion.matches) this.#target = camera;
    else [this.#camera, this.#target] = [camera, null];
    this.#requestPaint();
  }

  #resize() {
    const box = this.#canvas.getBoundingClientRect();
    const ratio = window.devicePixelRatio || 1;
    this.#size = [box.width, box.height];
    this.#canvas.width = Math.round(box.width * ratio);
    this.#canvas.height = Math.round(box.height * ratio);
    if (this.#scene && this.follows) this.#follow(false);
    if (this.#scene) this.#paint(performance.now());
  }

  #requestPaint() {
    this.#frame ||= requestAnimationFrame((now) => {
      this.#frame = 0;
      if (this.#scene) this.#paint(now);
    });
  }

  #paint(now) {
    const isCameraMoving = this.#glideCamera();
    const { left, top, isMoving } = this.#positionsAt(now);
    const context = this.#context;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.#canvas.width, this.#canvas.height);
    this.#paintOn(context, this.#camera, this.#size, window.devicePixelRatio || 1, { left, top });
    if (isCameraMoving || isMoving) this.#requestPaint();
  }

  /** Paint the whole tree on another canvas, in a corner of this size. */
  paintWhole(context, size) {
    if (this.#scene) this.#paintOn(context, fitted(this.#extent(size), size), size, 1, this.#scene);
  }

  #paintOn(context, camera, [width, height], ratio, { left, top }) {
    const { x, y, scale } = camera;
    // Zoomed out, levels are farther apart than the scale of their cards.
    const stretch = vertical(camera) / scale;
    const scene = {
      ...this.#scene,
      left,
      top: stretch === 1 ? top : top.map((y) => y * stretch),
      scale,
      colours: this.colours,
    };
    const area = {
      left: x,
      top: y * stretch,
      right: x + width / scale,
      bottom: y * stretch + height / scale,
    };
    scene.visible = visibleCards(scene, area);
    scene.looks = new Map(scene.visible.map((index) => [index, this.lookOf(scene.nodes[index])]));
    scene.edges = visibleEdges(scene, area);
    context.setTransform(
      ratio * scale,
      0,
      0,
      ratio * scale,
      -x * scale * ratio,
      -area.top * scale * ratio,
    );
    paintEdges(context, scene);
    paintCards(context, scene);
  }

  /** Move the camera a part of its way; return whether it goes on moving. */
  #glideCamera() {
    if (!this.#target) return false;
    const [camera, target] = [this.#camera, this.#target];
    const isNear =
      Math.abs(camera.scale / target.scale - 1) < 0.003 &&
      Math.abs(camera.x - target.x) * target.scale < 0.5 &&
      Math.abs(camera.y - target.y) * vertical(target) < 0.5;
    if (isNear) {
      [this.#camera, this.#target] = [target, null];
      return false;
    }
    const between = (key) => camera[key] + (target[key] - camera[key]) * 0.22;
    this.#camera = {
      x: between("x"),
      y: between("y"),
      scale: between("scale"),
      least: target.least,
    };
    return true;
  }

  /** Return the present positions of the cards while they glide. */
  #positionsAt(now) {
    const progress = (now - this.#began) / GLIDE_MS;
    if (!this.#from || progress >= 1) {
      this.#from = null;
      return { left: this.#scene.left, top: this.#scene.top, isMoving: false };
    }
    const part = 1 - (1 - Math.max(0, progress)) ** 3;
    return { ...interpolate(this.#scene, this.#from, part), isMoving: true };
  }
}

/** Return the index of the current node; -1 if it is not drawn. */
function currentOf({ place, tree }, nodes) {
  if (place === null) return -1;
  if (place.beyond === 0) return place.at;
  return nodes.length > tree.nodes.length ? tree.nodes.length : -1;
}

/** Return the index of the card at a point of the canvas; -1 if there is none. */
function cardAt({ left, top, card, nodes }, camera, [atX, atY]) {
  const x = atX / camera.scale + camera.x;
  const y = atY / vertical(camera) + camera.y;
  const height = (Math.max(card.height, 6 / camera.scale) * camera.scale) / vertical(camera);
  return nodes.findIndex(
    (_, index) =>
      x >= left[index] &&
      x <= left[index] + card.width &&
      y >= top[index] &&
      y <= top[index] + height,
  );
}

// --- pan and zoom by mouse, touch and keys -----------------------------------------------------

const KEYS = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };
const ZOOM = 1.3;
/** A pointer that moves fewer pixels than this clicks. */
const CLICK = 4;

/**
 * Call the methods of a picture for the input on its canvas: `pan(right, down, {glide})`,
 * `zoom(factor, at, {glide})`, `fit()`, `follow()`, `pick(at)` for a click, and `point(at)` with null
 * if the pointer left.
 */
function attachControls(canvas, picture) {
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
    if (other || Math.hypot(now[0] - pressedAt?.[0], now[1] - pressedAt?.[1]) > CLICK)
      pressedAt = null;
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

  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      picture.zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0018)), position(event), {
        glide: true,
      });
    },
    { passive: false },
  );
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
