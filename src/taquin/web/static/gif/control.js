// The button that saves a film as a GIF; while it works, its progress and a button that cancels it.

import { button, download, element } from "../page/dom.js";
import { text } from "../page/messages.js";
import { encodeGif, framesOf, MOST_FRAMES } from "./encode.js";

/**
 * Return the control; `reel()` returns what the GIF shows at that moment.
 * @param {any} app
 * @param {() => import("./encode.js").Reel} reel
 * @param {Record<string, string>} attributes of the button
 */
export function gifControl(app, reel, attributes = { class: "small" }) {
  const root = element("span", { class: "gif" });
  const label = text("solve.save-format", { format: "GIF" });
  const title = text("solve.gif-title", { most: MOST_FRAMES });
  const start = button("GIF", { ...attributes, "aria-label": label, title }, async () => {
    const stop = new AbortController();
    const bar = element("progress", { "aria-label": text("solve.gif-progress"), value: 0 });
    const cancel = button(text("solve.gif-cancel"), { class: attributes.class }, () =>
      stop.abort(),
    );
    root.replaceChildren(bar, cancel);
    cancel.focus({ preventScroll: true });
    try {
      await save(app, reel(), stop.signal, bar);
    } catch (error) {
      app.notify(stop.signal.aborted ? text("solve.gif-cancelled") : error.message, "");
    }
    const hadFocus = document.activeElement === cancel;
    root.replaceChildren(start);
    if (hadFocus) start.focus({ preventScroll: true });
  });
  root.append(start);
  return root;
}

async function save(app, film, signal, bar) {
  const progress = (done, count) => {
    bar.value = done / count;
  };
  try {
    download(await encodeGif(film, progress, signal), `${film.name}.gif`);
  } finally {
    film.close?.();
  }
  const count = framesOf(film.total).length;
  const isWhole = count === film.total;
  app.notify(text(isWhole ? "solve.gif-saved" : "solve.gif-cut", { count, total: film.total }));
}
