// Studies: the experiments of the lab, how far they have come, and their reports.

import { get } from "./api.js";
import { button, element } from "./dom.js";
import { counted, seconds, thousands } from "./words.js";

const LOOK_MS = 4000;

/** Fill the view; return how to leave it. */
export function mount(root, app) {
  const view = new StudiesView(root, app);
  view.look();
  return { unmount: () => view.leave() };
}

class StudiesView {
  #timer = 0;
  #isGone = false;
  #shown = "";

  constructor(root, app) {
    this.app = app;
    this.list = element("ul", { class: "studies" });
    this.report = element("section", { class: "report", "aria-label": "Report", hidden: true });
    root.classList.add("studies-view");
    root.append(
      element("p", { class: "note" }, "A study runs many searches on many boards and keeps every result; it is run at the command line."),
      this.list, this.report);
    this.list.append(element("li", { class: "note" }, "Looking …"));
    this.unsubscribe = app.state.subscribe((state, before) => {
      if (state.view === "studies" && state.study !== before.study) this.#openReport(state.study);
    });
    this.#openReport(app.state.get().study);
  }

  leave() {
    this.#isGone = true;
    clearTimeout(this.#timer);
    this.unsubscribe();
  }

  /** Look at the studies, and again as long as one of them runs. */
  async look() {
    try {
      const { studies } = await get("/api/studies");
      if (this.#isGone) return;
      this.#show(studies);
      const wait = studies.some((each) => each.running) ? LOOK_MS : 5 * LOOK_MS;
      this.#timer = setTimeout(() => this.look(), wait);
    } catch (error) {
      if (!this.#isGone) this.list.replaceChildren(element("li", { class: "sentence bad" }, error.message));
    }
  }

  #show(studies) {
    // What has not changed stays as it is, with its focus and what is unfolded.
    const text = JSON.stringify(studies);
    if (text === this.#shown) return;
    this.#shown = text;
    const order = (each) => (each.running ? 0 : each.done ? 1 : 2);
    const sorted = [...studies].sort((one, other) => order(one) - order(other));
    this.list.replaceChildren(...sorted.map((each) => this.#card(each)));
  }

  #card(study) {
    const title = element("h2", {}, study.title || study.name);
    const parts = [element("div", { class: "row spread" }, title, badge(study))];
    if (study.description) parts.push(element("p", { class: "note" }, study.description));
    parts.push(progress(study));
    if (study.trouble) parts.push(element("p", { class: "sentence bad" }, study.trouble));
    parts.push(study.done ? this.#actions(study) : command(study));
    return element("li", { class: "card stack tight" }, ...parts);
  }

  #actions(study) {
    const sums = element("div", {});
    const details = element("details", { ontoggle: () => { if (details.open) fillSums(study.name, sums); } },
      element("summary", {}, "What each search did"), sums);
    return element("div", { class: "stack tight" }, details,
      element("div", { class: "row" }, button("Show the report", { class: "small" }, () => this.app.state.set({ study: study.name })), command(study)));
  }

  #openReport(name) {
    this.report.hidden = !name;
    if (!name) return this.report.replaceChildren();
    const address = `/api/studies/${encodeURIComponent(name)}/report`;
    const close = button("Close the report", { sign: "close", class: "quiet" }, () => this.app.state.set({ study: null }));
    const place = element("div", {}, element("p", { class: "note" }, "The report is being made …"));
    this.report.replaceChildren(element("div", { class: "row spread" }, element("h2", {}, `Report of ${name}`), close), place);
    this.report.scrollIntoView({ block: "start" });
    return this.#fetchReport(address, name, place);
  }

  /** Show a report in a frame of its own; a sentence where there is none. */
  async #fetchReport(address, name, place) {
    try {
      // Nothing is recorded of some studies: their sentence is better read here than in a frame.
      await get(`/api/studies/${encodeURIComponent(name)}`);
      place.replaceChildren(element("iframe", { src: address, title: `Report of ${name}`, sandbox: "", class: "report-frame" }),
        element("a", { href: address, target: "_blank", rel: "noopener" }, "Open the report by itself"));
    } catch (error) {
      place.replaceChildren(element("p", { class: "sentence bad" }, error.message));
    }
  }
}

function badge({ running, done, total }) {
  if (running) return element("span", { class: "badge running" }, "running");
  if (total !== null && done >= total && done) return element("span", { class: "badge done" }, "finished");
  return element("span", { class: "badge" }, done ? "stopped" : "not begun");
}

function progress({ name, done, total, updated }) {
  const when = updated ? `, last on ${new Date(updated).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" })}` : "";
  const words = total === null ? `${counted(done, "run")} recorded${when}` : `${thousands(done)} of ${counted(total, "run")}${when}`;
  const bar = element("progress", { max: total ?? Math.max(1, done), value: done, "aria-label": `Progress of ${name}` });
  return element("div", { class: "stack tight" }, bar, element("p", { class: "note" }, words));
}

function command({ name, done, total }) {
  const isOver = total !== null && done >= total && done > 0;
  return element("p", { class: "note" }, isOver ? "Its report at the command line: " : done ? "Go on with " : "Begin it with ",
    element("code", {}, isOver ? `taquin study report ${name}` : `taquin study run ${name}`));
}

async function fillSums(name, place) {
  try {
    const { searches = [] } = await get(`/api/studies/${encodeURIComponent(name)}`);
    const head = ["Search", "Runs", "Solved", "Failed", "Time"];
    const rows = searches.map((each) => [each.search, thousands(each.runs), thousands(each.solved), thousands(each.failed), seconds(each.seconds)]);
    place.replaceChildren(element("div", { class: "scroll-x", role: "region", "aria-label": `The searches of ${name}`, tabindex: 0 }, element("table", {},
      element("thead", {}, element("tr", {}, ...head.map((word) => element("th", { scope: "col" }, word)))),
      element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map((cell) => element("td", {}, cell))))))));
  } catch (error) {
    place.replaceChildren(element("p", { class: "sentence bad" }, error.message));
  }
}
