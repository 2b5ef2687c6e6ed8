// A film as a GIF, made in the browser: frames painted on a canvas, one after another, so that the page stays alive.

/**
 * What a GIF shows. `ms` is how long frame `index` stays. `swatches` are its colours, for a film that cannot jump to a
 * frame and back; `close` is called in the end.
 * @typedef {{
 *   name: string, size: [number, number], total: number, ms: (index: number) => number,
 *   paint: (context: CanvasRenderingContext2D, index: number) => void | Promise<void>,
 *   swatches?: string[], close?: () => void,
 * }} Reel
 */

/** The most frames of a GIF: of a longer film they are picked evenly. */
export const MOST_FRAMES = 500;
const COLOURS = 127;
/** The colour of a pixel that is as in the frame before, which makes a GIF several times smaller. */
const UNCHANGED = COLOURS;
/** Keep the frame before below this one. */
const KEEP = 1;
/** Milliseconds of work between two breaths of the page. */
const SLICE_MS = 40;

/**
 * Return which of `total` frames a GIF has: all, or some from the first to the last.
 * @param {number} total
 */
export function framesOf(total) {
  const count = Math.min(total, MOST_FRAMES);
  return Array.from({ length: count }, (_, at) =>
    count === total ? at : Math.round((at * (total - 1)) / (count - 1)),
  );
}

/**
 * Return the GIF of a film as a blob.
 * @param {Reel} reel
 * @param {(done: number, count: number) => void} onProgress
 * @param {AbortSignal} signal
 */
export async function encodeGif(reel, onProgress, signal) {
  const { GIFEncoder, applyPalette, quantize } = await import("./gifenc.js");
  const [width, height] = reel.size;
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const context = canvas.getContext("2d", { willReadFrequently: true });
  const pixels = () => context.getImageData(0, 0, width, height).data;
  const frames = framesOf(reel.total);
  const palette = quantize(await samplesOf(reel, frames, context, pixels), COLOURS);
  const colours = Array.from({ length: COLOURS + 1 }, (_, at) => palette[at] ?? [0, 0, 0]);
  const encoder = GIFEncoder();
  let before = null;
  let breathed = performance.now();
  for (const [done, index] of frames.entries()) {
    if (performance.now() - breathed > SLICE_MS) {
      onProgress(done, frames.length);
      await new Promise((resolve) => setTimeout(resolve));
      breathed = performance.now();
    }
    signal.throwIfAborted();
    await reel.paint(context, index);
    const present = applyPalette(pixels(), palette);
    const shown = before
      ? present.map((colour, at) => (colour === before[at] ? UNCHANGED : colour))
      : present;
    const look = before
      ? { transparent: true, transparentIndex: UNCHANGED }
      : { palette: colours, repeat: 0 };
    encoder.writeFrame(shown, width, height, { ...look, dispose: KEEP, delay: reel.ms(index) });
    before = present;
  }
  encoder.finish();
  return new Blob([encoder.bytes()], { type: "image/gif" });
}

/**
 * Return pixels with the colours that all frames share: swatches, or the first, middle and last frame.
 * @param {Reel} reel
 * @param {number[]} frames
 * @param {CanvasRenderingContext2D} context
 * @param {() => Uint8ClampedArray} pixels
 */
async function samplesOf({ swatches, paint }, frames, context, pixels) {
  if (swatches) {
    const { width, height } = context.canvas;
    // The edges of shapes and letters are mixtures with what is behind them.
    for (const [at, colour] of swatches.entries())
      for (const [row, alpha] of [1, 0.75, 0.5, 0.25].entries()) {
        context.fillStyle = colour;
        context.globalAlpha = alpha;
        const [wide, high] = [width / swatches.length, height / 4];
        context.fillRect(at * wide, row * high, wide, high);
      }
    context.globalAlpha = 1;
    return pixels();
  }
  const samples = [];
  for (const part of [0, 0.5, 1]) {
    await paint(context, frames[Math.floor(part * (frames.length - 1))]);
    samples.push(pixels());
  }
  const all = new Uint8ClampedArray(samples.length * samples[0].length);
  for (const [at, sample] of samples.entries()) all.set(sample, at * sample.length);
  return all;
}
