/* One member's window: member select, channels, messages and message box. */

import { avatar } from "./avatar.js";
import { menuCommands, slashCommands } from "./commands.js";
import { Composer } from "./composer.js";
import { h, icon, ICONS, put } from "./dom.js";
import { entities } from "./entities.js";
import { commandMention } from "./inline.js";
import { menu } from "./menu.js";
import { MessageList } from "./message-list.js";
import { modal } from "./modal.js";
import { Sidebar } from "./sidebar.js";

export class Pane {
  constructor(side, socket) {
    this.side = side;
    this.socket = socket;
    this.world = null;
    this.head = null;
    this.asked = {};
    this.failures = new Map();
    this.list = new MessageList(this.context());
    this.composer = new Composer({
      say: (text) => this.say(text),
      slash: (name, values) => this.slash(name, values),
      autocomplete: (...typed) => this.autocomplete(...typed),
      entities: (...kind) => this.entities(...kind),
    });
    this.chooser = h("select", {
      "data-member-select": side,
      "aria-label": `Member in the ${side} pane`,
      on: { change: () => this.choose(this.chooser.value) },
    });
    this.face = h("span", { class: "chooser-face" });
    this.sidebar = new Sidebar(
      (id) => this.go(id),
      (installed) => this.act("install", { installed }),
    );
    this.title = h("h2", { class: "place", "data-place": true });
    this.hint = h("p", { class: "hint", role: "status" });
    const toggle = () => this.element.classList.toggle("sidebar-open");
    this.element = h(
      "section",
      { class: "pane", "data-pane": side, "aria-label": `${side} pane` },
      h("header", { class: "pane-head" },
        h("button", { type: "button", class: "icon-button sidebar-toggle", "data-sidebar-toggle": true,
          "aria-label": "Channels", on: { click: toggle } }, icon(ICONS.menu)),
        this.face,
        h("label", { class: "chooser" }, h("span", { class: "chooser-label", text: "You are" }), this.chooser),
        this.title),
      this.sidebar.element,
      h("div", { class: "main" }, this.list.element, this.hint, this.composer.element),
    );
  }

  /** The lookups and actions that messages use. */
  context() {
    const pane = this;
    return {
      get me() { return pane.head?.member.id; },
      user: (id) => this.world.users[id],
      role: (id) => this.world.roles.find((role) => role.id === id)?.name ?? "deleted-role",
      channel: (id) => this.places().find((channel) => channel.id === id)?.name,
      go: (id) => this.go(id),
      use: (name) => this.composer.begin(name),
      entities: (...kind) => this.entities(...kind),
      click: (id, element) => this.press(element, "click", { custom_id: id }),
      select: (id, values, element) => this.press(element, "select", { custom_id: id, values }),
      failure: (id) => this.failures.get(id),
      forget: (id) => this.failures.delete(id),
      dismiss: (id) => this.act("dismiss", { message: id }),
      menu: (event, subject) => this.menu(event, subject),
    };
  }

  // Updates from the server.

  setWorld(world) {
    this.world = world;
    const options = world.people.map((person) => h("option", { value: person.id, text: person.name }));
    put(this.chooser, options);
    if (this.head) this.chooser.value = this.head.member.id;
    if (this.head) this.drawHead();
  }

  update({ head, order, messages }) {
    const before = this.head;
    if (head) this.head = head;
    if (head && (before?.place.id !== head.place.id || before?.member.id !== head.member.id)) {
      this.failures.clear();
      this.list.clear();
      this.composer.reset();
      this.element.classList.remove("sidebar-open");
      this.element.querySelectorAll(".shade").forEach((shade) => shade.remove());
    }
    if (head) this.drawHead();
    if (order || messages) this.list.update(order, messages ?? {});
  }

  drawHead() {
    const { head, world } = this;
    this.chooser.value = head.member.id;
    this.element.dataset.member = head.member.name;
    put(this.face, avatar(head.member, 32));
    this.sidebar.draw(head, world);
    const { place } = head;
    const sign = { direct: "@", thread: "› ", group: "", text: "#", forum: "#", none: "" }[place.kind];
    put(this.title, `${sign}${place.name}`);
    this.title.dataset.place = place.name;
    const label = `${sign}${place.name}`;
    put(this.list.start,
      h("h3", { text: place.kind === "direct" ? place.name : label }),
      h("p", { text: beginning(place) }),
      place.writable ? invitation(slashCommands(head.commands), this.list.context) : null);
    this.composer.update({ ...place, label }, head.commands);
  }

  // Actions of the member.

  places() {
    const others = this.head.elsewhere.flatMap(({ channels }) => channels);
    return [...this.head.channels, ...others].flatMap((channel) => [channel, ...channel.threads]);
  }

  entities(kind, types) {
    return entities(this.world, this.head, kind, types);
  }

  /** The member and channel last requested; the server may not have answered yet. */
  get wanted() {
    if (!this.head) return this.asked;
    const { member, place } = this.head;
    const channel = place.kind === "direct" ? "direct" : place.id;
    return { member: member.id, channel, ...this.asked };
  }

  watch(change = {}) {
    this.asked = { ...this.wanted, ...change };
    this.socket.send({ kind: "watch", pane: this.side, ...this.asked });
  }

  choose(member) {
    this.watch({ member });
  }

  go(channel) {
    this.element.classList.remove("sidebar-open");
    this.watch({ channel });
  }

  /** Send an action of this member in this channel; resolves to the reply. */
  act(verb, details) {
    const { member } = this.wanted;
    return this.socket.ask({ kind: "act", verb, member, channel: this.head.place.id, ...details });
  }

  async say(text) {
    const reply = await this.act("say", { text });
    this.hint.textContent = reply.error ?? "";
  }

  async autocomplete(command, option, text, values) {
    const reply = await this.act("autocomplete", { command, option, text, values });
    this.hint.textContent = reply.failed ? "Loading options failed." : (reply.error ?? "");
    return reply.choices ?? [];
  }

  slash(name, values) {
    return this.command(`/${name}`, "slash", { command: name, values });
  }

  /** Use a command, and show its progress in a line until the bot answers. */
  async command(title, verb, details) {
    const sending = this.list.note(this.line(title, "Sending command…", "data-sending"));
    const reply = await this.act(verb, details);
    sending();
    if (reply.modal) this.openModal(reply);
    const problem = reply.failed ? "The application did not respond" : reply.error;
    if (!problem) return;
    const row = this.line(title, problem, "data-failed-command");
    const dismiss = this.list.note(row);
    const button = { type: "button", class: "link", "data-dismiss": true, text: "Dismiss message" };
    row.append(h("p", { class: "only-you" }, "Only you can see this • ",
      h("button", { ...button, on: { click: dismiss } })));
  }

  line(title, text, mark) {
    const { member } = this.head;
    return h("li", { class: "message note", [mark]: true },
      h("div", { class: "reply" }, avatar(member, 16), h("b", { text: member.name }), " used ",
        h("span", { class: "mention", text: title })),
      h("p", { class: mark === "data-sending" ? "thinking" : "failure", text }));
  }

  /** Use a button or a select of a message. */
  async press(element, verb, details) {
    const message = element.closest("[data-message-id]").dataset.messageId;
    if (element.classList.contains("busy")) return;
    element.classList.add("busy");
    if (this.failures.delete(message)) this.list.redraw(message);
    const reply = await this.act(verb, { message, ...details });
    element.classList.remove("busy");
    if (reply.modal) this.openModal(reply);
    const problem = reply.failed ? "This interaction failed" : reply.error;
    if (problem && this.list.find(message)) {
      this.failures.set(message, problem);
      this.list.redraw(message);
    }
  }

  openModal(reply) {
    const { member } = this.head;
    modal(this.element, reply.modal, this.context(), async (values) => {
      const answer = await this.socket.ask({
        kind: "act", verb: "submit", member: member.id, modal: reply.modal_number, values,
      });
      return answer.failed ? "Something went wrong. Try again." : answer.error;
    });
  }

  menu(event, { user, message }) {
    const [kind, title] = user ? [2, user.name] : [3, "Message"];
    const subject = user ? { user: user.id } : { message: message.id };
    const items = menuCommands(this.head.commands, kind).map((name) => ({
      label: name,
      act: () => this.command(name, "context_menu", { command: name, ...subject }),
    }));
    menu(event, title, items);
  }
}

function beginning(place) {
  if (place.kind === "direct") return `The beginning of your direct messages with ${place.name}.`;
  if (place.kind === "group") return `The beginning of ${place.name}.`;
  if (place.kind === "forum") return "A forum has posts instead of messages. They're listed on the left.";
  if (place.kind === "none") return "Choose a channel on the left.";
  return `The beginning of ${place.kind === "thread" ? "the thread" : "the channel"} ${place.name}.`;
}

/** A hint about commands for the beginning of a channel; null if the bot has none. */
function invitation(commands, context) {
  if (!commands.length) return null;
  const help = commands.some(({ name }) => name === "help");
  return h("p", { "data-invitation": true },
    "Type / to see what the bot can do",
    help ? [", or start with ", commandMention("help", context)] : null,
    ".");
}
