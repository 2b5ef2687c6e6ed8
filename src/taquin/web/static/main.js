// The page: five views behind tabs, one of them open, each loaded when it is first wanted.

import * as api from "./api.js";
import { element } from "./dom.js";
import { VIEWS, stateOf } from "./state.js";
import { startTheme } from "./theme.js";

const main = document.querySelector("main");
/** @type {NodeListOf<HTMLElement>} */
const tabList = document.querySelectorAll("[role=tab]");
const tabs = [...tabList];
const heard = document.querySelector("#heard");
const toast = document.querySelector("#toast");

/** What every view is handed: `mount(root, app)` returns `{unmount()}`. */
const app = {
  state: stateOf(window),
  api,
  /** Return what the server is and allows, asked once. */
  about: once(() => api.get("/api/about")),
  /** Return the algorithms, heuristics, engines and goals, asked once. */
  searches: once(() => api.get("/api/searches")),
  /** Say something to those who hear the page. */
  announce(sentence) {
    heard.textContent = sentence;
  },
  /** Show a sentence for a moment, to eyes and ears; `kind` is "" or "bad". */
  tell(sentence, kind = "") {
    toast.textContent = sentence;
    toast.className = `toast shown ${kind}`;
    clearTimeout(app.told);
    app.told = setTimeout(() => toast.classList.remove("shown"), kind ? 8000 : 3000);
  },
  /** Open another view on the same board. */
  open(view, changes = {}) {
    app.state.set({ ...changes, view }, { push: true });
  },
};

let opened = { view: null, handle: null };

async function openView(view) {
  opened.handle?.unmount();
  const turn = { view, handle: null };
  opened = turn;
  for (const tab of tabs) {
    const isChosen = tab.dataset.view === view;
    tab.setAttribute("aria-selected", String(isChosen));
    tab.tabIndex = isChosen ? 0 : -1;
    if (isChosen) document.title = `${tab.textContent} · taquin`;
  }
  const root = element("div", {
    class: `view view-${view}`,
    id: "panel",
    role: "tabpanel",
    "aria-labelledby": `tab-${view}`,
  });
  main.replaceChildren(root);
  try {
    const { mount } = await import(`./view-${view}.js`);
    if (opened === turn) turn.handle = mount(root, app);
  } catch (error) {
    console.error(error);
    const why = await api.get("/api/about").then(() => "", (failure) => ` ${failure.message}`);
    const sorry = `This part of the page could not be opened.${why}`;
    root.replaceChildren(element("p", { class: "sentence bad" }, sorry));
  }
}

/** Return a function that asks the first time and remembers the answer, but no failure. */
function once(ask) {
  let answer = null;
  return () => {
    answer ??= ask().catch((error) => {
      answer = null;
      throw error;
    });
    return answer;
  };
}

function moveAlong(event) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const index = VIEWS.indexOf(app.state.get().view);
  const next = { Home: 0, End: VIEWS.length - 1 }[event.key] ?? index + step;
  if (Number.isNaN(next)) return;
  event.preventDefault();
  const view = VIEWS[(next + VIEWS.length) % VIEWS.length];
  app.open(view);
  tabs.find((tab) => tab.dataset.view === view).focus();
}

for (const tab of tabs) {
  tab.addEventListener("click", (event) => {
    app.open(tab.dataset.view);
    // Whoever points at a tab is done with the tabs: the arrow keys are for the view again.
    if (event.detail) main.focus({ preventScroll: true });
  });
  tab.addEventListener("keydown", moveAlong);
}
startTheme(document.querySelector("#theme"));
app.state.subscribe((state) => {
  if (state.view !== opened.view) openView(state.view);
});
openView(app.state.get().view);
