// The user's own picture on the tiles. It never leaves the browser: it is cropped on a canvas, and
// the board shows it from an address that only this page knows. It outlives a reload of the page, and
// goes with its tab. Tiles without a picture may have a colour scheme.

import { button, element } from "../page/dom.js";
import { text } from "../page/messages.js";
import { store, stored } from "../page/state.js";
import { SCHEMES } from "../puzzle/board.js";

/** The most pixels along the longer side: enough for a projector. */
const LARGEST = 1600;
const KEY = "taquin-picture";
const inThisTab = () => sessionStorage;
const COLOURS = "taquin-colours";

/** The picture, and the address of the part that fits the board; kept while the page is open. */
const current = { whole: null, address: null };

/**
 * Return `{button, input, load(file), fit()}`. Pictures may be dropped onto `table`. `show` gets the
 * address of a picture with the shape of the board of `game()`, or null.
 */
export function pictureControl(app, table, game, show) {
  const input = element("input", {
    type: "file",
    accept: "image/*",
    class: "visually-hidden",
    tabindex: "-1",
    "aria-label": text("play.picture-file"),
    onchange: () => {
      if (input.files[0]) load(input.files[0]);
      input.value = "";
    },
  });
  const title = text("play.picture-title");
  const attributes = { icon: "picture", class: "tall", title, "aria-pressed": "false" };
  const toggle = button(text("play.picture"), attributes, () => {
    if (current.whole) remove();
    else input.click();
  });
  table.addEventListener("dragover", (event) => event.preventDefault());
  table.addEventListener("drop", (event) => {
    const file = [...event.dataTransfer.files].find((candidate) =>
      candidate.type.startsWith("image/"),
    );
    if (!file) return;
    event.preventDefault();
    load(file);
  });

  async function load(file) {
    try {
      current.whole = await createImageBitmap(file);
      await fit();
      store(
        KEY,
        drawn(current.whole, {
          width: current.whole.width,
          height: current.whole.height,
        }).toDataURL("image/jpeg", 0.9),
        inThisTab,
      );
    } catch {
      remove();
      app.notify(text("play.not-a-picture", { name: file.name }), "bad");
    }
  }

  function remove() {
    current.whole = null;
    store(KEY, null, inThisTab);
    fit();
  }

  /** Restore the picture that this tab had before it was reloaded. */
  async function restore() {
    const address = stored(KEY, inThisTab);
    if (!address || current.whole) return;
    const image = element("img", { src: address });
    await image.decode();
    current.whole = await createImageBitmap(image);
    await fit();
  }

  /** Crop the picture to the shape of the board, and show it on the tiles. */
  async function fit() {
    const old = current.address;
    if (!current.whole && !old) return;
    current.address = current.whole && URL.createObjectURL(await crop(current.whole, game()));
    toggle.setAttribute("aria-pressed", String(Boolean(current.whole)));
    show(current.address);
    if (old) URL.revokeObjectURL(old);
  }

  restore().catch(remove);
  return { button: toggle, input, load, fit };
}

/** Return the choice of a colour scheme, kept in this browser; `show` gets its name, or null. */
export function colourChoice(show) {
  const names = ["none", ...Object.keys(SCHEMES)];
  const options = names.map((name) =>
    element("option", { value: name }, text(`play.colours-${name}`)),
  );
  const select = element(
    "select",
    {
      "aria-label": text("play.colours"),
      onchange: () => {
        store(COLOURS, select.value === "none" ? null : select.value);
        show(stored(COLOURS));
      },
    },
    ...options,
  );
  const kept = stored(COLOURS);
  if (SCHEMES[kept]) {
    select.value = kept;
    show(kept);
  }
  return element("label", { class: "field" }, text("play.colours"), select);
}

/** Return the middle of a picture, with the shape of a board. */
function crop(whole, { rows, columns }) {
  const scale = Math.min(whole.width / columns, whole.height / rows);
  const canvas = drawn(whole, { width: columns * scale, height: rows * scale });
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.9));
}

/** Return a canvas with the middle part of a picture, made smaller if it is very large. */
function drawn(whole, { width, height }) {
  const shrink = Math.min(1, LARGEST / Math.max(width, height));
  const canvas = element("canvas", {
    width: Math.round(width * shrink),
    height: Math.round(height * shrink),
  });
  const source = [(whole.width - width) / 2, (whole.height - height) / 2, width, height];
  canvas.getContext("2d").drawImage(whole, ...source, 0, 0, canvas.width, canvas.height);
  return canvas;
}
