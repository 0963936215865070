/* The one WebSocket of the page: news comes in, what members do goes out. */

const RETRY_MS = 1000;

/** A connection that reconnects by itself. `hear` gets every message that is not a reply. */
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
      settle({ error: "The sandbox is not there any more." });
    }
    this.waiting.clear();
    this.lost();
    setTimeout(() => this.connect(), RETRY_MS);
  }

  send(message) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  /** Ask for something; the reply has a sentence in `error` when it could not be done. */
  ask(message) {
    const number = (this.number += 1);
    return new Promise((settle) => {
      if (this.socket.readyState !== WebSocket.OPEN) {
        settle({ error: "The sandbox is not there any more." });
        return;
      }
      this.waiting.set(number, settle);
      this.send({ ...message, number });
    });
  }
}
