// A worker for user code, which may have come with a link and is not trusted.
//
//     this page ◄── port ──► frame: sandbox.html ◄── messages ──► worker of the frame: worker.js, user code
//
// The frame has an opaque origin: the code reaches no storage, no cookie, no service worker and no page. The policy
// of the frame, which its worker inherits, allows no request. The code never runs in the window of the frame, where
// it could navigate. Removing the frame ends the code. The frame ends it, too, if it sends messages faster than this page
// takes them, or of a form that `worker.js` has not.
//
// A host of plain files sends no CORS headers, so the frame could not fetch Python itself: this page does, checks
// each file by its digest, and sends them.

import { text } from "../page/messages.js";

/**
 * Return the files of Python and taquin by their addresses, and a worker to send them to.
 * @param {{[name: string]: string}} digests the files that the sandbox needs, each with its `integrity`
 */
export async function sandboxedWorker(digests) {
  const files = Object.fromEntries(await Promise.all(Object.entries(digests).map(fetchChecked)));
  const [page, script] = ["python/sandbox.html", "python/worker.js"].map((name) =>
    new TextDecoder().decode(files[addressOf(name)]),
  );
  const { port1, port2 } = new MessageChannel();
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts");
  frame.hidden = true;
  frame.srcdoc = page;
  // An opaque origin cannot be named as the target. The script is no secret.
  frame.addEventListener("load", () => frame.contentWindow.postMessage(script, "*", [port2]), {
    once: true,
  });
  document.body.append(frame);
  // The frame ends a worker that sends more than the page takes.
  port1.addEventListener("message", () => port1.postMessage({ taken: true }));
  const terminate = () => {
    frame.remove();
    port1.close();
  };
  return { worker: Object.assign(port1, { terminate }), files };
}

async function fetchChecked([name, integrity]) {
  const address = addressOf(name);
  const response = await fetch(address, { integrity }).catch(() => {
    throw new Error(text("errors.fileDiffers", { name }));
  });
  if (!response.ok)
    throw new Error(text("errors.fileMissing", { name, status: String(response.status) }));
  return [address, await response.arrayBuffer()];
}

function addressOf(name) {
  return new URL(`../${name}`, import.meta.url).href;
}
