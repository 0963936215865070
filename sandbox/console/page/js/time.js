/* The sandbox's clock, and relative times that update themselves. */

import { h } from "./dom.js";

let ahead = 0;

/** Set the clock to the server's time, an ISO 8601 string. */
export function setClock(iso) {
  ahead = Date.parse(iso) - Date.now();
  refresh();
}

export function now() {
  return new Date(Date.now() + ahead);
}

const STEPS = [
  ["year", 31_536_000],
  ["month", 2_592_000],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
];
const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const STYLES = {
  t: { timeStyle: "short" },
  T: { timeStyle: "medium" },
  d: { dateStyle: "short" },
  D: { dateStyle: "long" },
  f: { dateStyle: "long", timeStyle: "short" },
  F: { dateStyle: "full", timeStyle: "short" },
  s: { dateStyle: "short", timeStyle: "short" },
  S: { dateStyle: "short", timeStyle: "medium" },
};

function format(date, style) {
  if (style === "R") {
    const seconds = Math.round((date - now()) / 1000);
    const [unit, size] = STEPS.find(([, step]) => Math.abs(seconds) >= step) ?? STEPS.at(-1);
    return relative.format(Math.trunc(seconds / size), unit);
  }
  return new Intl.DateTimeFormat("en", STYLES[style] ?? STYLES.f).format(date);
}

/** `<t:unix:style>` as Discord shows it; `unix` is in seconds. */
export function timestamp(unix, style = "f") {
  const date = new Date(unix * 1000);
  if (Number.isNaN(date.getTime())) return h("span", { text: "Invalid Date" });
  return h("time", {
    class: "timestamp",
    datetime: date.toISOString(),
    title: format(date, "F"),
    "data-style": style,
    text: format(date, style),
  });
}

/** The time at which a message was sent, with the date unless it's today. */
export function written(iso) {
  const date = new Date(iso);
  const today = date.toDateString() === now().toDateString();
  return h("time", {
    class: "written",
    datetime: iso,
    title: format(date, "F"),
    text: format(date, today ? "t" : "s"),
  });
}

function refresh() {
  for (const element of document.querySelectorAll("time[data-style=R]")) {
    element.textContent = format(new Date(element.dateTime), "R");
  }
}

setInterval(refresh, 1000);
