// A film as a GIF, made in the browser: frames painted on a canvas, one after another, so that the page stays alive.

/**
 * What a GIF shows. `paint` may take its time; `ms` is how long frame `index` stays.
 * @typedef {{
 *   name: string, size: [number, number], total: number, ms: (index: number) => number,
 *   paint: (context: CanvasRenderingContext2D, index: number) => void | Promise<void>,
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
export async function encodeGif({ size: [width, height], total, ms, paint }, onProgress, signal) {
  const { GIFEncoder, applyPalette, quantize } = await import("./gifenc.js");
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const context = canvas.getContext("2d", { willReadFrequently: true });
  const frames = framesOf(total);
  const pixels = async (index) => {
    await paint(context, index);
    return context.getImageData(0, 0, width, height).data;
  };
  // All frames share their colours: those of the first, the middle and the last.
  const samples = new Uint8ClampedArray(3 * 4 * width * height);
  for (const [at, part] of [0, 0.5, 1].entries())
    samples.set(
      await pixels(frames[Math.floor(part * (frames.length - 1))]),
      at * 4 * width * height,
    );
  const palette = quantize(samples, COLOURS);
  const colours = Array.from({ length: COLOURS + 1 }, (_, at) => palette[at] ?? [0, 0, 0]);
  let before = null;
  const encoder = GIFEncoder();
  let breathed = performance.now();
  for (const [done, index] of frames.entries()) {
    if (performance.now() - breathed > SLICE_MS) {
      onProgress(done, frames.length);
      await new Promise((resolve) => setTimeout(resolve));
      breathed = performance.now();
    }
    signal.throwIfAborted();
    const present = applyPalette(await pixels(index), palette);
    const shown = before
      ? present.map((colour, at) => (colour === before[at] ? UNCHANGED : colour))
      : present;
    const look = before
      ? { transparent: true, transparentIndex: UNCHANGED }
      : { palette: colours, repeat: 0 };
    encoder.writeFrame(shown, width, height, { ...look, dispose: KEEP, delay: ms(index) });
    before = present;
  }
  encoder.finish();
  return new Blob([encoder.bytes()], { type: "image/gif" });
}
