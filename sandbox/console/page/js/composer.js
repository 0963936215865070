/* The message box: plain text is sent as a message, a slash opens the bot's commands. */

import { CommandForm } from "./command-form.js";
import { slashCommands, suggest } from "./commands.js";
import { h, put } from "./dom.js";
import { Listbox } from "./listbox.js";

const MAX_COMMANDS = 50;

export class Composer {
  /** `act` has say(text), slash(name, values), autocomplete(…), entities(…). */
  constructor(act) {
    this.act = act;
    this.commands = [];
    this.place = { writable: false, label: "" };
    this.box = h("textarea", {
      class: "message-box",
      rows: 1,
      maxlength: 2000,
      disabled: true, // until its member is known: text typed earlier would be lost
      "data-message-box": true,
      role: "combobox",
      "aria-expanded": "false",
      "aria-haspopup": "listbox",
      "aria-autocomplete": "list",
      on: {
        input: () => this.typed(),
        keydown: (event) => this.key(event),
      },
    });
    this.list = new Listbox(this.box, { label: "Commands", pick: (item) => this.begin(item.value) });
    this.element = h("div", { class: "composer" }, this.box);
  }

  /** Show another channel, or what the member can do in it now. */
  update(place, commands) {
    this.place = place;
    const before = this.commands;
    this.commands = slashCommands(commands);
    this.box.placeholder = place.writable ? `Message ${place.label}` : "You can't send messages here";
    this.box.setAttribute("aria-label", this.box.placeholder);
    this.box.disabled = !place.writable;
    // The bot may have registered its commands after the slash was typed.
    if (names(before) !== names(this.commands) && this.box.value.startsWith("/")) this.typed();
  }

  reset() {
    this.box.value = "";
    this.list.hide();
    this.grow();
    put(this.element, this.box);
  }

  grow() {
    this.box.style.height = "auto";
    this.box.style.height = `${Math.min(this.box.scrollHeight, 160)}px`;
  }

  typed() {
    this.grow();
    const text = this.box.value;
    if (!text.startsWith("/") || text.includes("\n")) {
      this.list.hide();
      return;
    }
    const items = suggest(this.commands, text.slice(1)).slice(0, MAX_COMMANDS);
    this.list.show(items.map((command) => ({
      value: command.name,
      label: `/${command.name}`,
      detail: command.description,
    })));
  }

  key(event) {
    if (this.list.key(event)) return;
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    const text = this.box.value.trim();
    if (!text) return;
    this.reset();
    this.act.say(text);
  }

  /** Open the form of a command; also called by a click on a command mention. */
  begin(name) {
    const command = this.commands.find((other) => other.name === name);
    if (!command || !this.place.writable) return;
    this.reset();
    const form = new CommandForm(command, {
      send: (sent, values) => {
        this.reset();
        this.box.focus();
        this.act.slash(sent, values);
      },
      cancel: () => {
        this.reset();
        this.box.focus();
      },
      autocomplete: this.act.autocomplete,
      entities: this.act.entities,
    });
    put(this.element, form.element);
    form.first.focus();
  }
}

const names = (commands) => commands.map(({ name }) => name).join(" ");
