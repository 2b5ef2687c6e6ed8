// A search tree on a canvas: it grows, is moved and zoomed by mouse, touch and keys, and stays
// smooth with thousands of nodes, because only what is seen is painted.

import { onTheme, readColours } from "./colours.js";
import { fitted, following, leastFor, panned, vertical, zoomed } from "./tree-camera.js";
import { letHandle } from "./tree-hands.js";
import { CAPTION, cardSize, drawnNodes, layOut, onTheWay, seen, seenEdges, withoutThrown } from "./tree-layout.js";
import { paintCards, paintEdges } from "./tree-paint.js";

const GLIDE_MS = 220;

export class TreePicture {
  /** Whether the picture keeps the current board in view. */
  follows = true;
  /** Whether boards that were thrown away are left out. */
  hidesThrown = false;
  /**
   * Called with the node under the pointer, or null, and where it is.
   * @type {(node: any, at: number[] | null) => void}
   */
  onPoint = () => {};
  /**
   * Called when the picture stops following, or follows again.
   * @type {(follows: boolean) => void}
   */
  onFollow = () => {};
  #canvas;
  #context;
  /** @type {import("./tree-camera.js").Camera} */
  #camera = { x: 0, y: 0, scale: 1 };
  /** @type {import("./tree-camera.js").Camera | null} */
  #target = null;
  #scene = null;
  #from = null;
  #began = 0;
  #frame = 0;
  /** @type {[number, number]} */
  #size = [0, 0];
  #ends = [];
  #still = window.matchMedia("(prefers-reduced-motion: reduce)");

  constructor(canvas) {
    this.#canvas = canvas;
    this.#context = canvas.getContext("2d");
    this.colours = readColours();
    const resized = new ResizeObserver(() => this.#resize());
    resized.observe(canvas);
    this.#ends.push(() => resized.disconnect());
    this.#ends.push(onTheme(() => {
      this.colours = readColours();
      this.#wake();
    }));
    letHandle(canvas, this);
  }

  /** Show a search as it stands; `glide` moves the cards to their new places. */
  show(model, children, numbers, { glide = true } = {}) {
    const before = this.#scene;
    if (!model.tree.nodes.length) return this.#clear();
    const all = drawnNodes(model.tree, model.place, model.current, children);
    const here = currentOf(model, all);
    const way = here >= 0 ? [here, ...model.path()] : [];
    // The tree goes on changing while this picture is painted: it keeps a list of its own.
    const { nodes, index } = this.hidesThrown ? withoutThrown(all) : { nodes: [...all], index: null };
    const card = this.#cardOf(model, nodes, numbers);
    const places = layOut(nodes, card);
    const current = index && here >= 0 ? index[here] : here;
    const path = new Set(index ? way.map((at) => index[at]) : way);
    this.#scene = { ...places, nodes, card, current, path, numbers, tree: model.tree, index };
    // Where thrown-away boards are left out, the same place in the list is another board.
    const moves = glide && !this.#still.matches && before?.tree === model.tree && !index && !before.index;
    this.#from = moves ? { left: before.left, top: before.top } : null;
    this.#began = performance.now();
    if (this.follows) this.#follow(moves);
    return this.#wake();
  }

  #clear() {
    this.#scene = null;
    this.#context.setTransform(1, 0, 0, 1, 0, 0);
    this.#context.clearRect(0, 0, this.#canvas.width, this.#canvas.height);
  }

  /** Take the picture away. */
  remove() {
    cancelAnimationFrame(this.#frame);
    for (const end of this.#ends) end();
  }

  pan(right, down, { glide = false } = {}) {
    this.#take(panned(this.#target ?? this.#camera, right, down), glide);
  }

  zoom(factor, at = [this.#size[0] / 2, this.#size[1] / 2], { glide = false } = {}) {
    this.#take(zoomed(this.#target ?? this.#camera, factor, at), glide);
  }

  /** Tell of the board at a point of the canvas, or of none. */
  point(at) {
    const found = at && this.#scene ? cardAt(this.#scene, this.#camera, at) : -1;
    this.onPoint(found < 0 ? null : this.#scene.nodes[found], at);
  }

  /** Show the whole tree. */
  fit() {
    if (this.#scene) this.#take(fitted(this.#extent(), this.#size), true);
  }

  /** Keep the current board in view from now on. */
  follow() {
    this.follows = true;
    this.onFollow(true);
    if (this.#scene) this.#follow(true);
    this.#wake();
  }

  #cardOf(model, nodes, numbers) {
    const { cells, columns } = nodes[0].node;
    // Wide enough for every foot so far, and never narrower again, or all cards would tremble.
    const letters = numbers(model.current ?? nodes[0].node).length;
    const widest = Math.max(letters, this.#scene?.tree === model.tree ? this.#scene.card.letters : 0);
    return { ...cardSize(cells.length / columns, columns, widest), letters: widest };
  }

  #extent() {
    const { right, bottom, step } = this.#scene;
    return { right, bottom, top: -CAPTION, least: leastFor(bottom / step, step, this.#size[1]) };
  }

  #follow(glide) {
    const { current, left, top, card } = this.#scene;
    const spot = current < 0 ? null : { x: left[current] + card.width / 2, y: top[current] + card.height };
    const camera = following(this.#extent(), spot, this.#size);
    if (glide && !this.#still.matches) this.#target = camera;
    else [this.#camera, this.#target] = [camera, null];
  }

  /** Take a camera that somebody chose. */
  #take(camera, glide = false) {
    if (this.follows) {
      this.follows = false;
      this.onFollow(false);
    }
    if (glide && !this.#still.matches) this.#target = camera;
    else [this.#camera, this.#target] = [camera, null];
    this.#wake();
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

  #wake() {
    this.#frame ||= requestAnimationFrame((now) => {
      this.#frame = 0;
      if (this.#scene) this.#paint(now);
    });
  }

  #paint(now) {
    const goesOn = this.#glideCamera();
    const { left, top, isMoving } = this.#placesAt(now);
    const context = this.#context;
    const ratio = window.devicePixelRatio || 1;
    const { x, y, scale } = this.#camera;
    // Levels seen from far away stand farther apart than their cards are small.
    const stretch = vertical(this.#camera) / scale;
    const scene = { ...this.#scene, left, top: stretch === 1 ? top : top.map((each) => each * stretch), scale, colours: this.colours };
    const part = { left: x, top: y * stretch, right: x + this.#size[0] / scale, bottom: y * stretch + this.#size[1] / scale };
    scene.visible = seen(scene, part);
    scene.edges = seenEdges(scene, part);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, this.#canvas.width, this.#canvas.height);
    context.setTransform(ratio * scale, 0, 0, ratio * scale, -x * scale * ratio, -part.top * scale * ratio);
    paintEdges(context, scene);
    paintCards(context, scene);
    if (goesOn || isMoving) this.#wake();
  }

  /** Move the camera a part of its way; tell whether there is more of it. */
  #glideCamera() {
    if (!this.#target) return false;
    const [camera, target] = [this.#camera, this.#target];
    const near = Math.abs(camera.scale / target.scale - 1) < 0.003
      && Math.abs(camera.x - target.x) * target.scale < 0.5 && Math.abs(camera.y - target.y) * vertical(target) < 0.5;
    if (near) {
      [this.#camera, this.#target] = [target, null];
      return false;
    }
    const mixed = (key) => camera[key] + (target[key] - camera[key]) * 0.22;
    this.#camera = { x: mixed("x"), y: mixed("y"), scale: mixed("scale"), least: target.least };
    return true;
  }

  /** Return where the cards are now, on their way from where they were. */
  #placesAt(now) {
    const passed = (now - this.#began) / GLIDE_MS;
    if (!this.#from || passed >= 1) {
      this.#from = null;
      return { left: this.#scene.left, top: this.#scene.top, isMoving: false };
    }
    const part = 1 - (1 - Math.max(0, passed)) ** 3;
    return { ...onTheWay(this.#scene, this.#from, part), isMoving: true };
  }
}

/** Return the index of the drawn node that the search is at; -1 when it is not drawn. */
function currentOf({ place, tree }, nodes) {
  if (place === null) return -1;
  if (place.beyond === 0) return place.at;
  return nodes.length > tree.nodes.length ? tree.nodes.length : -1;
}

/** Return the index of the card at a point of the canvas; -1 where there is none. */
function cardAt({ left, top, card, nodes }, camera, at) {
  const [atX, atY] = at;
  const x = atX / camera.scale + camera.x;
  const y = atY / vertical(camera) + camera.y;
  const high = (Math.max(card.height, 6 / camera.scale) * camera.scale) / vertical(camera);
  return nodes.findIndex((_, index) => (
    x >= left[index] && x <= left[index] + card.width && y >= top[index] && y <= top[index] + high
  ));
}
