/* The bar above the panes: the bot's status, and the drawer. */

import { h, put } from "./dom.js";
import { drawer } from "./panel-drawer.js";
import { now } from "./time.js";

const MAX_LINES = 500;
const STATES = {
  "never started": "not started",
  running: "running",
  stopping: "stopping…",
  stopped: "stopped",
};

export class Panel {
  constructor(socket) {
    this.socket = socket;
    this.bot = { connected: false, command: "", processes: [] };
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

  killer(text, details) {
    const button = this.button("kill-bot", text, details, "danger");
    button.append(h("span", { class: "more-words", text: "(SIGKILL)" }));
    return button;
  }

  drawBot() {
    const { connected, processes } = this.bot;
    const running = processes.filter(isRunning).length;
    let word = "bot: ";
    if (processes.length === 1) word = `bot: ${STATES[processes[0].state]}, `;
    if (processes.length > 1) word = `bot: ${running} of ${processes.length} processes running, `;
    put(this.state, h("span", { class: "bot-state-word", text: word }), connected ? "online" : "offline");
    this.state.dataset.botState = processes.length === 1 ? processes[0].state : String(running);
    this.state.classList.toggle("is-online", connected);
    const several = processes.length > 1;
    put(this.controls, processes.map((bot, i) => (several ? this.oneOf(bot, i + 1) : this.only(bot))).flat());
    this.drawDeath(processes);
  }

  only(bot) {
    return isRunning(bot)
      ? [this.button("restart-bot", "Restart the bot"), this.killer("Kill")]
      : [this.button("start-bot", "Start the bot", {}, "success")];
  }

  oneOf(bot, number) {
    const send = { process: number };
    return isRunning(bot)
      ? this.killer(`Kill ${number}`, { hook: `kill-bot-${number}`, send })
      : this.button("start-bot", `Start ${number}`, { hook: `start-bot-${number}`, send }, "success");
  }

  drawDeath(processes) {
    const index = processes.findIndex((bot) => bot.exited_alone);
    this.death.hidden = index < 0;
    if (index < 0) return;
    const which = processes.length > 1 ? `Process ${index + 1} of the bot` : "The bot";
    put(this.death,
      h("b", { text: endText(which, processes[index].exit_code) }),
      h("pre", { class: "log", "data-death-log": true, text: this.lines.slice(-12).join("\n") }),
      this.button("start-bot", "Start it again", { hook: "start-again", send: { process: index + 1 } }, "success"));
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

function isRunning(bot) {
  return bot.state === "running" || bot.state === "stopping";
}

function endText(which, code) {
  if (code === null) return `${which} could not be started.`;
  const how = code < 0 ? `killed by signal ${-code}` : `exit code ${code}`;
  return `${which} ended by itself (${how}).`;
}

function requestRow(request) {
  return h("tr", { class: request.status >= 400 ? "bad" : null },
    h("td", { text: request.method }),
    h("td", { class: "path", text: request.path, title: request.path }),
    h("td", { text: request.status }),
    h("td", { text: request.counts ? "counts" : "free" }));
}
