// What a solved game shows: the moves against the fewest possible, and what to do next.

import { button, element, icon } from "../page/dom.js";
import { locale, text } from "../page/messages.js";
import { counted } from "../page/words.js";
import { store, stored } from "../page/state.js";
import { timeText } from "./clock.js";
import { isDay, readStreak, runningStreak, streakAfter, today, writeStreak } from "./daily.js";

const STREAK = "taquin-daily";

/**
 * Return `{root, show(result, isCompared)}`; there is a function for each button. `result` is
 * `{count, fewest, seconds, isShort}`, null for a game that is not solved; `fewest` is null while it is not known.
 * Nobody wants to watch A* unless the board `isShort`: small, or near the goal.
 */
export function victoryCard({ next, share, watch, versus }) {
  const words = element("p", { class: "row victory-line" });
  const watchButton = button(text("play.watch"), { icon: "play" }, watch);
  const compare = button(text("play.compare"), { icon: "swap", "aria-pressed": "false" }, versus);
  const buttons = element(
    "div",
    { class: "choices" },
    button(text("play.next"), { icon: "next", class: "main" }, next),
    button(text("play.share"), { icon: "link" }, share),
    watchButton,
    compare,
  );
  const root = element("section", { class: "sentence good status", hidden: true }, words, buttons);
  return {
    root,
    show(result, isCompared) {
      root.hidden = !result;
      watchButton.hidden = !result?.isShort;
      compare.setAttribute("aria-pressed", String(isCompared));
      words.replaceChildren(
        ...(result ? [icon("check"), element("strong", {}, victoryText(result))] : []),
      );
    },
  };
}

/** Return the sentences of a solved game. */
export function victoryText({ count, fewest, seconds }) {
  const time = timeText(seconds);
  if (fewest === count) return text("play.solved-best", { count, time });
  const solved = text("play.solved", { count, time });
  return fewest && fewest < count ? `${solved} ${text("play.fewest", { count: fewest })}` : solved;
}

// --- the daily board ---------------------------------------------------------------------------

/** Return `{root, show(day)}`: the date, the streak of this browser, and the boards of other days. */
export function dailyCard(onDay) {
  const title = element("h2", { id: "daily-title" });
  const about = element("p", { class: "note" });
  const date = element("input", {
    type: "date",
    onchange: () => isDay(date.value) && onDay(date.value),
  });
  const root = element(
    "section",
    { class: "card daily", "aria-labelledby": "daily-title", hidden: true },
    title,
    element("label", { class: "field" }, text("daily.other"), date),
    about,
  );
  return {
    root,
    show(day) {
      root.hidden = !day;
      if (!day) return;
      title.textContent = text("daily.title", { date: dateText(day) });
      date.value = day;
      date.max = today();
      const count = streakNow();
      const isToday = day === today();
      const streak = count ? text("daily.streak", { count }) : text("daily.no-streak");
      about.textContent = isToday ? streak : text("daily.archive");
    },
  };
}

/** Count a solved day in this browser. */
export function countDay(day) {
  store(STREAK, writeStreak(streakAfter(readStreak(stored(STREAK)), day, today())));
}

function streakNow() {
  return runningStreak(readStreak(stored(STREAK)), today());
}

function dateText(day) {
  return new Intl.DateTimeFormat(locale(), { dateStyle: "long", timeZone: "UTC" }).format(
    new Date(day),
  );
}

/** Return the result of a daily board for others: it tells nothing about the board and its moves. */
export function dailyResult({ day, rows, columns, count, fewest, seconds, hints }) {
  const facts = [
    counted(count, "move"),
    fewest && text("daily.optimum", { fewest }),
    timeText(seconds),
    hints ? text("daily.hints", { count: hints }) : text("daily.no-hints"),
    day === today() && streakNow() > 1 && text("daily.streak", { count: streakNow() }),
  ];
  const title = text("daily.result", { date: dateText(day), size: `${rows} × ${columns}` });
  return `${title}\n${facts.filter(Boolean).join(" · ")}`;
}

/** Share a text with a link, or copy both; return whether they were copied. */
export async function shareText(words, link) {
  if (navigator.share) {
    const isCancelled = (error) => error.name === "AbortError";
    const outcome = await navigator.share({ text: words, url: link }).catch((error) => error);
    if (!outcome || isCancelled(outcome)) return false;
  }
  await navigator.clipboard.writeText(`${words}\n${link}`);
  return true;
}
