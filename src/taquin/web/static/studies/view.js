// Studies: the experiments of the lab, their progress, and their reports.

import { get } from "../page/api.js";
import { button, element, table } from "../page/dom.js";
import { locale, sentence, text } from "../page/messages.js";
import { said } from "../page/said.js";
import { counted, seconds, thousands } from "../page/words.js";

const REFRESH_MS = 4000;

/** Fill the view; return `{unmount()}`. */
export function mount(root, app) {
  const view = new StudiesView(root, app);
  view.refresh();
  return { unmount: () => view.leave() };
}

class StudiesView {
  #timer = 0;
  #isClosed = false;
  #shown = "";

  constructor(root, app) {
    this.app = app;
    this.list = element("ul", { class: "studies" });
    this.report = element("section", {
      class: "report",
      "aria-label": text("studies.report"),
      hidden: true,
    });
    root.classList.add("studies-view");
    root.append(element("p", { class: "note" }, text("studies.intro")), this.list, this.report);
    this.list.append(element("li", { class: "note" }, text("studies.loading")));
    this.unsubscribe = app.state.subscribe((state, before) => {
      if (state.view === "studies" && state.study !== before.study) this.#openReport(state.study);
    });
    this.#openReport(app.state.get().study);
  }

  leave() {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.unsubscribe();
  }

  /** Load the list, and again every few seconds; less often if no study runs. */
  async refresh() {
    try {
      const { studies } = await get("/api/studies");
      if (this.#isClosed) return;
      this.#show(studies);
      const wait = studies.some(({ running }) => running) ? REFRESH_MS : 5 * REFRESH_MS;
      this.#timer = setTimeout(() => this.refresh(), wait);
    } catch (error) {
      if (!this.#isClosed)
        this.list.replaceChildren(element("li", { class: "sentence bad" }, error.message));
    }
  }

  #show(studies) {
    // An unchanged list keeps its focus and its open details.
    const shown = JSON.stringify(studies);
    if (shown === this.#shown) return;
    this.#shown = shown;
    const order = ({ running, done }) => (running ? 0 : done ? 1 : 2);
    const sorted = [...studies].sort((a, b) => order(a) - order(b));
    this.list.replaceChildren(...sorted.map((study) => this.#card(study)));
  }

  #card(study) {
    const title = element("h2", { translate: "no" }, study.title || study.name);
    const parts = [element("div", { class: "row spread" }, title, badge(study))];
    if (study.description)
      parts.push(element("p", { class: "note", translate: "no" }, study.description));
    parts.push(progress(study));
    if (study.trouble) parts.push(element("p", { class: "sentence bad" }, ...said(study.trouble)));
    parts.push(study.done ? this.#actions(study) : command(study));
    return element("li", { class: "card stack tight" }, ...parts);
  }

  #actions(study) {
    const totals = element("div", {});
    const details = element(
      "details",
      {
        ontoggle: () => {
          if (details.open) fillTotals(study.name, totals);
        },
      },
      element("summary", {}, text("studies.totals")),
      totals,
    );
    return element(
      "div",
      { class: "stack tight" },
      details,
      element(
        "div",
        { class: "row" },
        button(text("studies.show"), { class: "small" }, () =>
          this.app.state.set({ study: study.name }),
        ),
        command(study),
      ),
    );
  }

  #openReport(name) {
    this.report.hidden = !name;
    if (!name) return this.report.replaceChildren();
    const address = `/api/studies/${encodeURIComponent(name)}/report`;
    const close = button(text("studies.closeReport"), { icon: "close", class: "quiet" }, () =>
      this.app.state.set({ study: null }),
    );
    const place = element("div", {}, element("p", { class: "note" }, text("studies.making")));
    this.report.replaceChildren(
      element(
        "div",
        { class: "row spread" },
        element("h2", {}, text("studies.reportOf", { name })),
        close,
      ),
      place,
    );
    this.report.scrollIntoView({ block: "start" });
    return this.#fetchReport(address, name, place);
  }

  /** Show a report in a frame, or a sentence if there is none. */
  async #fetchReport(address, name, place) {
    try {
      // An error is shown here rather than in the frame.
      await get(`/api/studies/${encodeURIComponent(name)}`);
      place.replaceChildren(
        element("iframe", {
          src: address,
          title: text("studies.reportOf", { name }),
          sandbox: "",
          class: "report-frame",
        }),
        element("a", { href: address, target: "_blank", rel: "noopener" }, text("studies.openTab")),
      );
      this.report.scrollIntoView({ block: "start" });
    } catch (error) {
      place.replaceChildren(element("p", { class: "sentence bad" }, error.message));
    }
  }
}

function badge({ running, done, total }) {
  if (running) return element("span", { class: "badge running" }, text("studies.running"));
  if (total !== null && done >= total && done)
    return element("span", { class: "badge done" }, text("studies.finished"));
  return element(
    "span",
    { class: "badge" },
    done ? text("studies.stopped") : text("studies.notBegun"),
  );
}

function progress({ name, done, total, updated }) {
  const style = /** @type {const} */ ({ dateStyle: "medium", timeStyle: "short" });
  const language = locale() === "en" ? "en-GB" : locale();
  const date = updated && new Date(updated).toLocaleString(language, style);
  const runs = counted(total ?? done, "run");
  const words =
    total === null
      ? text(date ? "studies.recordedOn" : "studies.recorded", { runs, date })
      : text(date ? "studies.doneOn" : "studies.done", { done, runs, date });
  const bar = element("progress", {
    max: total ?? Math.max(1, done),
    value: done,
    "aria-label": text("studies.progressOf", { name }),
  });
  return element("div", { class: "stack tight" }, bar, element("p", { class: "note" }, words));
}

function command({ name, done, total }) {
  const isOver = total !== null && done >= total && done > 0;
  const message = isOver
    ? "studies.commandReport"
    : done
      ? "studies.commandGoOn"
      : "studies.commandBegin";
  const words = isOver ? `taquin study report ${name}` : `taquin study run ${name}`;
  return element(
    "p",
    { class: "note" },
    ...sentence(message, { command: element("code", {}, words) }),
  );
}

async function fillTotals(name, place) {
  try {
    const { searches = [] } = await get(`/api/studies/${encodeURIComponent(name)}`);
    const head = ["search", "runs", "solved", "failed", "time"].map((name) =>
      text(`studies.${name}`),
    );
    const rows = searches.map((total) => [
      total.search,
      thousands(total.runs),
      thousands(total.solved),
      thousands(total.failed),
      seconds(total.seconds),
    ]);
    place.replaceChildren(
      element(
        "div",
        {
          class: "scroll-x",
          role: "region",
          "aria-label": text("studies.searchesOf", { name }),
          tabindex: 0,
        },
        table({}, head, rows),
      ),
    );
  } catch (error) {
    place.replaceChildren(element("p", { class: "sentence bad" }, error.message));
  }
}
