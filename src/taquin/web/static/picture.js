// A picture of one's own as the tiles. It never leaves the browser: it is cut on a canvas, and the
// board shows it from an address that only this page knows.

import { button, element } from "./dom.js";

/** Pixels along the longer side: as sharp as a projector, and no more. */
const LARGEST = 1600;

/** The picture, for as long as the page is open: the whole, and the part that fits the board. */
const held = { whole: null, address: null };

/**
 * Return `{button, input, take(file), fit()}`. Pictures may be dropped onto `table`; `show` hears
 * the address of one that fits the board of `game()`, null for none.
 */
export function pictureControl(app, table, game, show) {
  const input = element("input", {
    type: "file",
    accept: "image/*",
    class: "heard",
    tabindex: "-1",
    "aria-label": "Picture for the tiles",
    onchange: () => {
      if (input.files[0]) take(input.files[0]);
      input.value = "";
    },
  });
  const title = "A picture of your own as the tiles; it stays in this browser";
  const look = { sign: "picture", class: "tall", title, "aria-pressed": "false" };
  const control = button("Picture", look, () => {
    if (held.whole) drop();
    else input.click();
  });
  table.addEventListener("dragover", (event) => event.preventDefault());
  table.addEventListener("drop", (event) => {
    const file = [...event.dataTransfer.files].find((each) => each.type.startsWith("image/"));
    if (!file) return;
    event.preventDefault();
    take(file);
  });

  async function take(file) {
    try {
      held.whole = await createImageBitmap(file);
      await fit();
    } catch {
      drop();
      app.tell(`“${file.name}” is no picture that this browser can show.`, "bad");
    }
  }

  function drop() {
    held.whole = null;
    fit();
  }

  /** Cut the picture to the shape of the board, and show it on the tiles. */
  async function fit() {
    const old = held.address;
    if (!held.whole && !old) return;
    held.address = held.whole && URL.createObjectURL(await cut(held.whole, game()));
    control.setAttribute("aria-pressed", String(Boolean(held.whole)));
    show(held.address);
    if (old) URL.revokeObjectURL(old);
  }

  return { button: control, input, take, fit };
}

/** Return the middle of a picture, as wide and as high as a board is. */
function cut(whole, { rows, columns }) {
  const scale = Math.min(whole.width / columns, whole.height / rows);
  const [width, height] = [columns * scale, rows * scale];
  const shrink = Math.min(1, LARGEST / Math.max(width, height));
  const size = { width: Math.round(width * shrink), height: Math.round(height * shrink) };
  const canvas = element("canvas", size);
  const from = [(whole.width - width) / 2, (whole.height - height) / 2, width, height];
  canvas.getContext("2d").drawImage(whole, ...from, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.9));
}
