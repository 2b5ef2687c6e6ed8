// The card that downloads Python for the browser, where a server can.

import { button, element } from "../page/dom.js";
import { text } from "../page/messages.js";
import { beginAgain } from "../python/side.js";
import { readEvents } from "../search/search-task.js";

/** The download that runs, `{share, show, ended}`; it goes on while another view is open. Null for none. */
let running = null;

/** Return the card; `onDone` is called when Python is there. */
export function pythonDownload(bytes, onDone) {
  const megabytes = Math.round(bytes / 1e5) / 10;
  const start = button(text("code.download", { megabytes }), { icon: "save", class: "main" }, () =>
    follow(running ?? begun()),
  );
  const bar = element("progress", { max: "1", "aria-label": text("code.downloading") });
  const percent = element("span", { class: "note" });
  const progress = element("div", { class: "download-progress" }, bar, percent);
  const fault = element("p", { class: "sentence bad", role: "alert" });
  const root = element(
    "section",
    { class: "card download stack", "aria-label": text("code.python") },
    element("p", {}, text("code.needs_python", { megabytes })),
    start,
    progress,
    fault,
  );

  function showRunning(isRunning) {
    start.hidden = isRunning;
    progress.hidden = !isRunning;
    fault.hidden = true;
  }

  function show(share) {
    if (share) bar.value = share;
    percent.textContent = text("code.percent", { percent: Math.floor(100 * share) });
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
  download.ended = requested(download).finally(() => {
    running = null;
  });
  return download;
}

async function requested(download) {
  let isDone = false;
  await readEvents("/api/python", {}, undefined, {
    progress({ done, total }) {
      download.share = done / total;
      download.show(download.share);
    },
    result() {
      isDone = true;
    },
  });
  if (!isDone) throw new Error(text("code.interrupted"));
  await beginAgain();
}
