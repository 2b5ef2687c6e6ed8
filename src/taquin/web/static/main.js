// The page: its views behind tabs; each is loaded when it is first opened.

import * as api from "./page/api.js";
import { startProjector, startTheme } from "./page/appearance.js";
import { button, element, loadStyle } from "./page/dom.js";
import { chooseLanguage, LANGUAGES, loadMessages, locale, text } from "./page/messages.js";
import { createState, TAB_OF } from "./page/state.js";
import { statusLine } from "./page/status-line.js";
import { begin, onBegin } from "./python/side.js";

const main = document.querySelector("main");
/** @type {NodeListOf<HTMLElement>} */
const tabList = document.querySelectorAll("[role=tab]");
const tabs = [...tabList];
const announcer = document.querySelector("#announcer");
const toast = document.querySelector("#toast");
let toastTimer = 0;

/** Every view has `mount(root, app)`, which returns `{unmount()}`; this is its `app`. */
const app = {
  state: createState(window),
  api,
  /** Return the version and the limits of the server; asked once. */
  about: once(() => api.get("/api/about")),
  /** Return the algorithms, heuristics, engines and goals; asked once. */
  searches: once(() => api.get("/api/searches")),
  /** Say a sentence to screen readers. */
  announce(sentence) {
    announcer.textContent = sentence;
  },
  /** Show a sentence for some seconds, and say it to screen readers; `kind` is "" or "bad". */
  notify(sentence, kind = "") {
    toast.textContent = sentence;
    toast.className = `toast shown ${kind}`;
    clearTimeout(toastTimer);
    toastTimer = setTimeout(() => toast.classList.remove("shown"), kind ? 8000 : 3000);
  },
  /** Copy a text, and say `copied`, or `refused` where the browser does not let the page; `kind` is that of a refusal. */
  async copy(words, copied, refused, kind = "") {
    try {
      await navigator.clipboard.writeText(words);
      app.notify(copied);
    } catch {
      app.notify(refused, kind);
    }
  },
  /** Open another view with the same board. */
  open(view, changes = {}) {
    app.state.set({ board: app.state.get().board, ...changes, view }, { push: true });
  },
};

/** Open the view of a tab: with the board that was chosen, or its own default. */
function openTab(tab) {
  app.state.set({ view: tab.dataset.view }, { push: true });
}

/** The style sheets of the views that do not use those of Watch alone. */
const STYLES = { play: ["play"], learn: ["watch", "learn"], code: ["watch", "code"] };
let opened = { view: null, handle: null };

async function openView(view) {
  opened.handle?.unmount();
  const opening = { view, handle: null };
  opened = opening;
  for (const tab of tabs) {
    const isChosen = tab.dataset.view === TAB_OF[view];
    tab.setAttribute("aria-selected", String(isChosen));
    tab.tabIndex = isChosen ? 0 : -1;
    if (isChosen) document.title = text("page.title", { view: tab.textContent });
  }
  const root = element("div", {
    class: `view view-${view}`,
    id: "panel",
    role: "tabpanel",
    "aria-labelledby": `tab-${TAB_OF[view]}`,
  });
  main.replaceChildren(root);
  try {
    const [{ mount }] = await loaded(view);
    if (opened === opening) opening.handle = mount(root, app);
  } catch (error) {
    console.error(error);
    const why = await api.get("/api/about").then(
      () => "",
      (failure) => failure.message,
    );
    root.replaceChildren(
      element("p", { class: "sentence bad" }, text("page.notOpened", { why })),
      button(text("page.again"), {}, () => openView(view)),
    );
  }
}

/** Return the promise of the module of a view; its style sheets are loaded beside it. */
function loaded(view) {
  const sheets = STYLES[view] ?? ["watch"];
  return Promise.all([
    import(`./${view}/view.js`),
    ...sheets.map((name) => loadStyle(`styles/${name}.css`)),
  ]);
}

/** Return a function that asks once and remembers the answer; a failure is not remembered. */
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

function onTabKey(event) {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const shown = tabs.filter((tab) => !tab.hidden);
  const index = shown.findIndex((tab) => tab.dataset.view === TAB_OF[app.state.get().view]);
  const next = { Home: 0, End: shown.length - 1 }[event.key] ?? index + step;
  if (Number.isNaN(next)) return;
  event.preventDefault();
  const tab = shown[(next + shown.length) % shown.length];
  openTab(tab);
  tab.focus();
}

for (const tab of tabs) {
  tab.addEventListener("click", (event) => {
    openTab(tab);
    // After a click (not a key press) the arrow keys belong to the view, not to the tabs.
    if (event.detail) main.focus({ preventScroll: true });
  });
  tab.addEventListener("keydown", onTabKey);
}
document.querySelector(".skip").addEventListener("click", (event) => {
  // The address holds the state of the page, so this link must not change it.
  event.preventDefault();
  main.focus();
});

/** Write the texts of index.html, which are there in English, in the language of the page. */
function translate() {
  for (const part of document.querySelectorAll("[data-text]")) {
    part.textContent = text(/** @type {HTMLElement} */ (part).dataset.text);
  }
  for (const part of document.querySelectorAll("[data-label]")) {
    part.setAttribute("aria-label", text(/** @type {HTMLElement} */ (part).dataset.label));
  }
}

/** Fill the list of languages. */
function startLanguages(list) {
  for (const [code, name] of Object.entries(LANGUAGES)) {
    list.append(element("option", { value: code, lang: code }, name));
  }
  list.value = locale();
  list.addEventListener("change", () => {
    app.state.link();
    chooseLanguage(list.value);
  });
}

/** Show the tabs of what can be answered; follow Python if it answers. */
function showSides({ hasServer, browser, download }) {
  const isShown = { studies: hasServer, code: Boolean(browser || download) };
  for (const tab of tabs) tab.hidden = isShown[tab.dataset.view] === false;
  if (!browser?.ready) return;
  status.follow(browser);
  browser.ready.then(prepareViews, () => {});
}

/** Load Watch, Solve and Race in the background. A page with Python has loaded more anyway. */
function prepareViews() {
  for (const view of ["watch", "solve", "race"]) loaded(view).catch(() => {});
  app.searches().catch(() => {});
}

const unstarted = main.querySelector(".unstarted");
await loadMessages().catch((error) => {
  unstarted.classList.add("shown");
  throw error;
});
translate();
startLanguages(document.querySelector("#language"));
startTheme(document.querySelector("#theme"));
startProjector(app.state, document.querySelector("#projector"));
const status = statusLine(document.querySelector("#status"), () => openView(app.state.get().view));
app.state.subscribe((state) => {
  if (state.view !== opened.view) openView(state.view);
});
openView(app.state.get().view);
onBegin(showSides);
begin().catch(status.fail);
