// The line to the server: moves are repeated until they are confirmed, versions tell what was missed, and a line that
// is silent is opened again. Whoever uses it hears of messages and of the state of the line, and needs no more.

const PING = 4000, SILENCE = 9000, AGAIN = 2500, SLOWEST = 8000;
const ENDS = new Set([4404, 4400]); // no such table, broken rules: coming back would not help

export const UNPACKS = "DecompressionStream" in globalThis;

function unpacked(data) {
  if (typeof data === "string") return data;
  return new Response(new Blob([data]).stream().pipeThrough(new DecompressionStream("deflate-raw"))).text();
}

export class Line {
  constructor(address, { hello, heard, changed }) {
    Object.assign(this, { address, hello, heard, changed });
    this.waiting = new Map(); // id → message that is not confirmed yet
    this.tries = 0;
    this.open();
    setInterval(() => this.look(), 1000);
    addEventListener("online", () => this.again());
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.look(); });
  }

  open() {
    clearTimeout(this.later);
    this.ready = false;
    const socket = this.socket = new WebSocket(this.address);
    this.last = Date.now();
    socket.addEventListener("open", () => socket === this.socket && this.greet());
    socket.binaryType = "arraybuffer";
    let order = Promise.resolve(); // what is unpacked keeps its place
    socket.addEventListener("message", event => {
      this.last = Date.now();
      order = order.then(async () => {
        const text = await unpacked(event.data);
        if (socket === this.socket) this.hear(JSON.parse(text));
      });
    });
    socket.addEventListener("close", event => socket === this.socket && this.lost(event.code));
  }

  greet() {
    this.send({ ...this.hello(), packed: UNPACKS });
    for (const message of this.waiting.values()) this.send(message);
  }

  hear(message) {
    this.last = Date.now();
    if (!this.ready && message.kind === "seen") {
      this.ready = true;
      this.tries = 0;
      this.changed("open");
    }
    if (message.kind === "pong") return;
    if (message.kind === "done" || message.kind === "refused") {
      if (!this.waiting.delete(message.id)) return;
    }
    this.heard(message);
  }

  lost(code) {
    this.ready = false;
    if (ENDS.has(code)) {
      this.changed(code === 4404 ? "gone" : "broken");
      return;
    }
    this.changed("lost");
    const wait = Math.min(SLOWEST, 250 * 2 ** this.tries) * (0.7 + Math.random() * 0.6);
    this.tries += 1;
    this.later = setTimeout(() => this.open(), wait);
  }

  again() {
    const old = this.socket;
    this.socket = null;
    old?.close();
    this.open();
  }

  look() {
    const now = Date.now();
    if (this.socket?.readyState === WebSocket.OPEN) {
      if (now - this.last > SILENCE) {
        this.changed("lost");
        this.again();
      } else if (now - (this.pinged ?? 0) > PING) {
        this.pinged = now;
        this.send({ kind: "ping" });
      }
      for (const message of this.waiting.values()) {
        if (now - message.sent > AGAIN) this.post(message);
      }
    } else if (this.socket?.readyState === WebSocket.CONNECTING && now - this.last > SILENCE) {
      this.again();
    }
  }

  // Sends what must arrive: it is sent again, under the same id, until the server says what became of it.
  ask(message) {
    const id = [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, "0")).join("");
    const kept = { ...message, id };
    this.waiting.set(id, kept);
    this.post(kept);
    return id;
  }

  post(message) {
    Object.defineProperty(message, "sent", { value: Date.now(), writable: true, enumerable: false });
    message.sent = Date.now();
    this.send(message);
  }

  send(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }
}
