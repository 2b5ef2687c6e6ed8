// The card that downloads Python for the browser, which runs user code. The server downloads it once and keeps it.

import { button, element } from "./dom.js";
import { readEvents } from "./search-task.js";
import { beginAgain } from "./side.js";

/** The download that runs, `{share, show, ended}`; it goes on while another view is open. Null for none. */
let running = null;

/** Return the card; `onDone` is called when Python is there. */
export function pythonDownload(bytes, onDone) {
  const size = `${(bytes / 1e6).toFixed(1)} MB`;
  const start = button(`Download Python (${size})`, { icon: "save", class: "main" }, () => follow(running ?? begun()));
  const bar = element("progress", { max: "1", "aria-label": "Download of Python" });
  const percent = element("span", { class: "note" });
  const progress = element("div", { class: "download-progress" }, bar, percent);
  const fault = element("p", { class: "sentence bad", role: "alert" });
  const root = element("section", { class: "card download stack", "aria-label": "Python for the browser" },
    element("p", {}, `Your code runs in this browser. It needs Python for the browser, ${size}, downloaded once.`),
    start, progress, fault);

  function showRunning(isRunning) {
    start.hidden = isRunning;
    progress.hidden = !isRunning;
    fault.hidden = true;
  }

  function show(share) {
    if (share) bar.value = share;
    percent.textContent = `${Math.floor(100 * share)} %`;
  }

  /** Show a download until it ends. */
  async function follow(download) {
    showRunning(true);
    download.show = show;
    show(download.share);
    try {
      await download.ended;
      await onDone();
    } catch (error) {
      showRunning(false);
      bar.removeAttribute("value");
      fault.textContent = error.message;
      fault.hidden = false;
    }
  }

  showRunning(false);
  if (running) follow(running);
  return root;
}

/** Begin a download. */
function begun() {
  const download = { share: 0, show: (_share) => {}, ended: null };
  running = download;
  download.ended = requested(download).finally(() => { running = null; });
  return download;
}

async function requested(download) {
  let isDone = false;
  await readEvents("/api/python", {}, undefined, {
    progress({ done, total }) {
      download.share = done / total;
      download.show(download.share);
    },
    result() { isDone = true; },
  });
  if (!isDone) throw new Error("The download was interrupted: try again.");
  await beginAgain();
}
