/*
 * The sandbox's page: a small Discord with two members side by side.
 *
 * Hooks for tests (attributes that don't change; scope them by pane):
 *   [data-pane="left|right"]         a member's window; its [data-member] is the member's name
 *   [data-pane-tab="left|right"]     the switch between the panes in a narrow window
 *   [data-sidebar-toggle]            shows the channels in a narrow window
 *   select[data-member-select]       chooses the member of a window
 *   [data-channel-name="games"], [data-thread-name]   entries of channels and threads
 *   [data-dm]                        the direct messages with the bot; [data-unread] counts unread ones
 *   [data-install="true|false"]      whether the bot is one of this member's apps; a click changes it
 *   [data-place="games"]             the title of the open channel
 *   [data-message-id]                a message; [data-author-id], [data-ephemeral="true"]
 *   [data-content], [data-thinking], [data-failure], [data-dismiss], [data-message-menu]
 *   [data-custom-id]                 a button, select or field of the bot
 *   [data-picture], [data-lightbox], [data-file="name"]
 *   [data-message-box]               the text box; [data-command-form="pico play"],
 *   [data-option="opponent"], [data-send-command], [data-cancel-command], [data-failed-command]
 *   [data-listbox] [data-value]      an open list and its options (outside the pane)
 *   [data-menu] [data-menu-item]     an open right-click menu (outside the pane)
 *   [data-modal], [data-modal-submit], [data-modal-close]
 * The panel:
 *   [data-act="toggle-panel"]        opens and closes the drawer
 *   [data-act="restart-bot|kill-bot|start-bot|start-again"], [data-bot-state="running|stopping|…"]
 *   [data-act="kill-bot-2|start-bot-2"] if the bot is several processes; data-bot-state counts those running
 *   [data-act="clock-60|clock-900|clock-3600|clock-86400"], [data-clock]
 *   [data-act="fault-500|fault-500-many|fault-429|fault-slow|fault-drop|clear-faults"]
 *   [data-act="deliver-twice|rate-limits"]
 *   [data-act="drop-connections|request-reconnect|invalidate|invalidate-resumable"]
 *   [data-act="close-Ann"…], [data-act="mute-games|hide-games|delete-channel-games"…]
 *   [data-act="delete-message-<id>"], [data-bot-log], [data-death-log], [data-requests]
 */

import { h } from "./dom.js";
import { Pane } from "./pane.js";
import { Panel } from "./panel.js";
import { Socket } from "./socket.js";
import { setClock } from "./time.js";

const SIDES = ["left", "right"];
const root = document.getElementById("app");
const socket = new Socket({ hear, opened, lost });
const panes = Object.fromEntries(SIDES.map((side) => [side, new Pane(side, socket)]));
const panel = new Panel(socket);
const tabs = h("div", { class: "pane-tabs", role: "tablist", "aria-label": "Members" },
  SIDES.map((side) => h("button", {
    type: "button",
    role: "tab",
    "data-pane-tab": side,
    text: side,
    on: { click: () => turn(side) },
  })));

function turn(side) {
  root.dataset.turned = side;
  for (const tab of tabs.children) {
    tab.setAttribute("aria-selected", String(tab.dataset.paneTab === side));
  }
}

function nameTabs() {
  for (const tab of tabs.children) {
    const { head } = panes[tab.dataset.paneTab];
    const unread = head?.direct.unread ? ` (${head.direct.unread})` : "";
    tab.textContent = head ? `${head.member.name}${unread}` : tab.dataset.paneTab;
  }
}

let world = null;

function hear(message) {
  if (message.kind === "world") {
    world = message;
    setClock(message.clock);
    document.title = `${message.guild.name} · sandbox`;
    for (const side of SIDES) panes[side].setWorld(message);
    panel.setWorld(message);
  } else if (message.kind === "pane") {
    if (world) panes[message.pane].update(message);
    nameTabs();
  } else if (message.kind === "panel") {
    panel.update(message);
  }
}

function opened() {
  root.classList.remove("lost");
  for (const side of SIDES) panes[side].watch();
}

function lost() {
  root.classList.add("lost");
}

root.append(
  panel.element,
  h("p", { class: "lost-note", role: "alert", text: "The sandbox has stopped. Waiting for it to come back…" }),
  tabs,
  h("main", { class: "panes" }, SIDES.map((side) => panes[side].element)),
);
turn("left");
