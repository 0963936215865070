/* The page's WebSocket: receives updates, sends the actions of members. */

const RETRY_MS = 1000;

/** A connection that reconnects by itself. `hear` gets every message that isn't a reply. */
export class Socket {
  constructor({ hear, opened, lost }) {
    this.hear = hear;
    this.opened = opened;
    this.lost = lost;
    this.waiting = new Map();
    this.number = 0;
    this.connect();
  }

  connect() {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    this.socket = new WebSocket(`${scheme}//${location.host}/console/socket`);
    this.socket.addEventListener("open", () => this.opened());
    this.socket.addEventListener("message", (event) => this.receive(JSON.parse(event.data)));
    this.socket.addEventListener("close", () => this.close());
  }

  receive(message) {
    if (message.kind !== "reply") {
      this.hear(message);
      return;
    }
    this.waiting.get(message.to)?.(message.reply);
    this.waiting.delete(message.to);
  }

  close() {
    for (const settle of this.waiting.values()) {
      settle({ error: "The sandbox isn't running anymore." });
    }
    this.waiting.clear();
    this.lost();
    setTimeout(() => this.connect(), RETRY_MS);
  }

  send(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /** Send a request; resolves to its reply, which has a sentence in `error` if it failed. */
  ask(message) {
    const number = (this.number += 1);
    return new Promise((settle) => {
      if (this.socket.readyState !== WebSocket.OPEN) {
        settle({ error: "The sandbox isn't running anymore." });
        return;
      }
      this.waiting.set(number, settle);
      this.send({ ...message, number });
    });
  }
}
