// A line below the header: how much of Python has come, why it has not, and that the page has a new version.

import { beginAgain, isReplaced } from "../python/side.js";
import { button, element } from "./dom.js";
import { text } from "./messages.js";

const MEGABYTE = 1e6;
/** A page that stays in view looks for a new version this often. */
const LOOK_MS = 30 * 60_000;

/** Return `{follow(browser), fail(error)}`; `reopen()` opens the view again when Python starts again. */
export function statusLine(root, reopen) {
  let isNew = false;

  function show(...children) {
    if (isNew) return;
    root.replaceChildren(...children);
    root.hidden = !children.length;
  }

  function fail({ message }) {
    const again = button(text("page.again"), { class: "small" }, () => {
      beginAgain().catch(fail);
      reopen();
    });
    show(element("span", { role: "alert" }, message), again);
    root.classList.add("bad");
  }

  /** Look for a new version, and offer it instead of everything else. */
  async function look() {
    if (document.hidden || isNew || !(await isReplaced())) return;
    const reload = button(text("page.reload"), { class: "small" }, () => window.location.reload());
    root.classList.remove("bad");
    show(element("span", { role: "status" }, text("page.newVersion")), reload);
    isNew = true;
  }
  document.addEventListener("visibilitychange", look);
  setInterval(look, LOOK_MS);

  return {
    fail,
    /** Show the progress of Python in the browser, until it is ready. */
    follow(browser) {
      const size = browser.runtime.size ?? 0;
      const bar = element("progress", { max: size, value: 0, "aria-label": text("page.loading") });
      const words = element("span", {}, text("page.starting"));
      let shown = 0;
      browser.onProgress((bytes) => {
        const [done, total] = [bytes, size].map((count) => Math.round(count / MEGABYTE));
        // Each piece is some kilobytes; drawing the page that often would make it slow.
        if (done === shown) return;
        shown = done;
        bar.value = bytes;
        words.textContent =
          done < total ? text("page.progress", { done, total }) : text("page.starting");
      });
      root.classList.remove("bad");
      show(bar, words, element("span", { class: "note" }, text("page.works")));
      browser.ready.then(() => show(), fail);
    },
  };
}
