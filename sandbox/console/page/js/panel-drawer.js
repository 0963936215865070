/* The panel's drawer: time, faults, channels and messages to delete, log and requests. */

import { h } from "./dom.js";

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 60 * MINUTE_SECONDS;
const SPANS = [
  ["+1 min", MINUTE_SECONDS],
  ["+15 min", 15 * MINUTE_SECONDS],
  ["+1 h", HOUR_SECONDS],
  ["+1 day", 24 * HOUR_SECONDS],
];
const FAULTS = [
  ["500", "Answer 500", "the next request fails with status 500"],
  ["500-many", "500 × 5", "the next five requests fail"],
  ["429", "Answer 429", "the next request is rate limited"],
  ["slow", "Slow answer", "the next request takes 4 s"],
  ["drop", "Drop a request", "the next request gets no answer"],
];
const GATEWAY = [
  ["drop-connections", "Drop connections"],
  ["request-reconnect", "Request reconnect"],
  ["invalidate-resumable", "Invalidate sessions (resumable)"],
  ["invalidate", "Invalidate sessions"],
];

/** The sections of the drawer. */
export function drawer(panel) {
  return [
    panel.problem,
    wide(panel),
    h("div", { class: "drawer-parts" },
      section("Time", SPANS.map(([text, seconds]) =>
        panel.button("clock", text, { hook: `clock-${seconds}`, send: { seconds } }))),
      section("Faults of the next requests", FAULTS.map(([name, text, about]) => {
        const made = panel.button("fault", text, { hook: `fault-${name}`, send: { fault: name } });
        made.title = about;
        return made;
      }), switches(panel), pending(panel)),
      section("Gateway", GATEWAY.map(([name, text]) =>
        panel.button("gateway", text, { hook: name, send: { what: name } })),
        toggle(panel, "outage", "Outage: the server is unavailable", {
          checked: panel.faults.unavailable,
        })),
      section("Members", people(panel)),
      section("The bot in channels", timeOut(panel), channels(panel)),
      section("Messages", deleteMessage(panel))),
  ];
}

function wide(panel) {
  const columns = ["Method", "Path", "Status", "50/s"].map((text) => h("th", { text }));
  const region = { class: "requests", tabindex: "0", role: "region", "aria-label": "Last 100 requests" };
  return h("div", { class: "drawer-wide" },
    panel.bot.processes.length
      ? h("section", {}, h("h2", { text: `Bot output: ${panel.bot.command}` }), panel.log)
      : null,
    h("section", {}, h("h2", { text: "Last 100 requests" }),
      h("div", region, h("table", {}, h("thead", {}, h("tr", {}, columns)), panel.requests))));
}

function section(title, ...children) {
  return h("section", {}, h("h2", { text: title }), h("div", { class: "drawer-buttons" }, children));
}

function toggle(panel, verb, label, { checked, hook, send }) {
  const input = h("input", {
    type: "checkbox",
    "data-act": hook ?? verb,
    on: { change: () => panel.act(verb, { ...send, on: input.checked }) },
  });
  input.checked = checked;
  return h("label", { class: "switch" }, input, label);
}

function switches(panel) {
  const { deliver_twice: twice, rate_limits: limits, quarantined } = panel.faults;
  return [
    toggle(panel, "deliver-twice", "Deliver each interaction twice", { checked: twice }),
    toggle(panel, "rate-limits", "Rate limits", { checked: limits }),
    toggle(panel, "quarantine", "Quarantine: no new direct messages", { checked: quarantined }),
  ];
}

function pending(panel) {
  const { pending: count, usual } = panel.faults;
  if (usual) return null;
  return h("p", { class: "drawer-note" }, count ? `${count} still to come. ` : null,
    panel.button("clear-faults", "Reset all"));
}

function people(panel) {
  return panel.world.people.map((person) =>
    toggle(panel, "close-direct", `${person.name}’s direct messages are closed`, {
      checked: panel.faults.closed.includes(person.id),
      hook: `close-${person.name}`,
      send: { member: person.id },
    }));
}

function timeOut(panel) {
  return toggle(panel, "time-out", "The bot is timed out for 1 h", {
    checked: panel.faults.timed_out,
  });
}

function channels(panel) {
  return panel.faults.channels.map((channel) =>
    h("div", { class: "drawer-line" },
      h("span", { text: `#${channel.name}` }),
      toggle(panel, "mute-bot", "read-only", {
        checked: channel.muted, hook: `mute-${channel.name}`, send: { channel: channel.id },
      }),
      toggle(panel, "hide-channel", "hidden", {
        checked: channel.hidden, hook: `hide-${channel.name}`, send: { channel: channel.id },
      }),
      panel.button("delete-channel", "Delete", {
        hook: `delete-channel-${channel.name}`, send: { channel: channel.id },
      }, "danger")));
}

function deleteMessage(panel) {
  return panel.faults.messages.length
    ? panel.faults.messages.map((message) =>
        h("div", { class: "drawer-line" },
          h("span", { class: "drawer-message", text: `${message.place}: ${message.text}` }),
          panel.button("delete-message", "Delete", {
            hook: `delete-message-${message.id}`, send: { message: message.id },
          }, "danger")))
    : h("p", { class: "drawer-note", text: "The bot hasn't sent any messages yet." });
}
