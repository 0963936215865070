/* The bar above the panes: the bot, and a drawer of faults to order. */

import { h, put } from "./dom.js";
import { drawer } from "./panel-drawer.js";
import { now } from "./time.js";

const MAX_LINES = 500;
const STATES = {
  "never started": "not started here",
  running: "running",
  stopping: "stopping…",
  stopped: "stopped",
};

export class Panel {
  constructor(socket) {
    this.socket = socket;
    this.bot = { state: "never started", command: "", managed: true };
    this.lines = [];
    this.state = h("span", { class: "bot-state", role: "status", "data-bot-state": true });
    this.clock = h("time", { class: "clock", "data-clock": true });
    this.log = h("pre", { class: "log", tabindex: "0", "aria-label": "The bot's output", "data-bot-log": true });
    this.requests = h("tbody", { "data-requests": true });
    this.problem = h("p", { class: "form-problem", role: "alert" });
    this.death = h("div", { class: "death", role: "alert", hidden: true });
    this.controls = h("div", { class: "bot-controls" });
    this.drawer = h("div", { class: "drawer", id: "drawer", hidden: true });
    this.toggle = h("button", {
      type: "button",
      class: "button secondary small",
      "aria-expanded": "false",
      "aria-controls": "drawer",
      "data-act": "toggle-panel",
      text: "Panel",
      on: { click: () => this.fold() },
    });
    this.element = h("header", { class: "panel" },
      h("div", { class: "bar" },
        h("h1", {}, "Sandbox"), this.state, this.controls, h("span", { class: "gap" }), this.clock, this.toggle),
      this.death,
      this.drawer);
    setInterval(() => this.tick(), 1000);
    this.tick();
  }

  fold() {
    this.drawer.hidden = !this.drawer.hidden;
    this.toggle.setAttribute("aria-expanded", String(!this.drawer.hidden));
    this.log.scrollTop = this.log.scrollHeight;
  }

  tick() {
    const time = now();
    this.clock.dateTime = time.toISOString();
    this.clock.textContent = time.toLocaleString("en", { dateStyle: "medium", timeStyle: "medium" });
  }

  setWorld(world) {
    this.world = world;
    this.tick();
    this.drawDrawer();
  }

  update({ bot, lines, requests, faults }) {
    if (lines) {
      this.lines = [...(lines.fresh ? [] : this.lines), ...lines.list].slice(-MAX_LINES);
      this.drawLog();
    }
    if (bot) {
      this.bot = bot;
      this.drawBot();
    }
    if (requests) put(this.requests, requests.map(requestRow));
    if (faults) {
      this.faults = faults;
      this.drawDrawer();
    }
  }

  async act(verb, details = {}) {
    const reply = await this.socket.ask({ kind: "panel", verb, ...details });
    this.problem.textContent = reply.error ?? "";
    return reply;
  }

  button(verb, text, details = {}, style = "secondary") {
    return h("button", {
      type: "button",
      class: `button ${style} small`,
      "data-act": details.hook ?? verb,
      text,
      on: { click: () => this.act(verb, details.send) },
    });
  }

  killer() {
    const button = this.button("kill-bot", "Kill", {}, "danger");
    button.append(h("span", { class: "more-words", text: "(SIGKILL)" }));
    return button;
  }

  drawBot() {
    const { state, exit_code: code, connected, managed } = this.bot;
    const online = connected ? "online" : "offline";
    const word = managed ? `bot: ${STATES[state]}, ` : "bot: ";
    put(this.state, h("span", { class: "bot-state-word", text: word }), online);
    this.state.dataset.botState = state;
    this.state.classList.toggle("is-online", connected);
    const running = state === "running" || state === "stopping";
    const buttons = running
      ? [this.button("restart-bot", "Restart the bot"), this.killer()]
      : [this.button("start-bot", "Start the bot", {}, "success")];
    put(this.controls, managed ? buttons : []);
    this.death.hidden = !this.bot.exited_alone;
    if (this.bot.exited_alone) {
      put(this.death,
        h("b", { text: endText(code) }),
        h("pre", { class: "log", "data-death-log": true, text: this.lines.slice(-12).join("\n") }),
        this.button("start-bot", "Start it again", { hook: "start-again" }, "success"));
    }
  }

  drawLog() {
    const { scrollHeight, scrollTop, clientHeight } = this.log;
    const atEnd = scrollHeight - scrollTop - clientHeight < 40;
    this.log.textContent = this.lines.join("\n");
    if (atEnd) this.log.scrollTop = this.log.scrollHeight;
  }

  drawDrawer() {
    if (!this.world || !this.faults) return;
    const focus = this.drawer.contains(document.activeElement) && document.activeElement.dataset.act;
    put(this.drawer, drawer(this));
    if (focus) this.drawer.querySelector(`[data-act="${focus}"]`)?.focus();
  }
}

function endText(code) {
  if (code === null) return "The bot could not be started.";
  const how = code < 0 ? `killed by signal ${-code}` : `exit code ${code}`;
  return `The bot ended by itself (${how}).`;
}

function requestRow(request) {
  return h("tr", { class: request.status >= 400 ? "bad" : null },
    h("td", { text: request.method }),
    h("td", { class: "path", text: request.path, title: request.path }),
    h("td", { text: request.status }),
    h("td", { text: request.counts ? "counts" : "free" }));
}
