// The frames of a GIF of a search tree: the whole tree at each step, and what happens in it.

import { readColours } from "../page/appearance.js";
import { guestsOf } from "../trace/tree-panel.js";
import { TreePicture } from "../trace/tree-picture.js";
import { numbersOf, sentencesOf } from "../trace/trace-words.js";

const [WIDTH, HEIGHT, FOOT] = [960, 600, 34];
const [STEP_MS, LAST_MS] = [250, 2500];

/**
 * Return the film of a tree up to step `last`; `film` is at its disposal, and is closed at the end.
 * @param {{film: any, last: number, hidesDiscarded: boolean}} options
 * @returns {import("./encode.js").Reel}
 */
export function treeReel({ film, last, hidesDiscarded }) {
  const picture = new TreePicture(document.createElement("canvas"));
  Object.assign(picture, { follows: false, hidesDiscarded });
  const { colours } = picture;
  return {
    name: "taquin-tree",
    size: [WIDTH, HEIGHT + FOOT],
    total: last + 1,
    ms: (index) => (index === last ? LAST_MS : STEP_MS),
    swatches: Object.values(readColours()),
    async paint(context, index) {
      await film.seek(index);
      const { step, model } = film;
      picture.show(model, guestsOf(step), (node) => numbersOf(node, model), { glide: false });
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.fillStyle = colours.page;
      context.fillRect(0, 0, WIDTH, HEIGHT + FOOT);
      picture.paintWhole(context, [WIDTH, HEIGHT]);
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.fillStyle = colours.page;
      context.fillRect(0, HEIGHT, WIDTH, FOOT);
      context.fillStyle = colours.ink;
      context.font = "15px system-ui, sans-serif";
      context.textAlign = "center";
      context.fillText(sentencesOf(step, model)[0], WIDTH / 2, HEIGHT + FOOT - 12, WIDTH - 20);
    },
    close() {
      picture.remove();
      film.close();
    },
  };
}
