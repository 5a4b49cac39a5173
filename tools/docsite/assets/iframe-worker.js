// A page opened as a file may not start workers: the search then runs in a hidden frame instead.
if (location.protocol === "file:") {
  // The theme asks for the second name: with a frame, paths begin elsewhere.
  window.Worker = window.IFrameWorker = class extends EventTarget {
    constructor(address) {
      super()
      const frame = document.createElement("iframe")
      frame.hidden = true
      document.body.append(frame)
      const inside = frame.contentWindow
      this.ready = new Promise(resolve => {
        inside.postMessage = data => this.dispatchEvent(new MessageEvent("message", { data }))
        inside.importScripts = (...addresses) => addresses.reduce(
          (before, next) => before.then(() => load(inside, next)), Promise.resolve()
        )
        load(inside, address).then(() => resolve(inside))
      })
      this.addEventListener("message", event => this.onmessage?.(event))
    }

    postMessage(data) {
      this.ready.then(inside => inside.dispatchEvent(new MessageEvent("message", { data })))
    }
  }

  const load = (inside, address) => new Promise((resolve, reject) => {
    const script = inside.document.createElement("script")
    script.src = new URL(address, document.baseURI)
    script.onload = resolve
    script.onerror = reject
    inside.document.body.append(script)
  })
}

// What the search is asked is put as it understands it; messages of type 2 are questions.
const ask = window.Worker.prototype.postMessage
window.Worker.prototype.postMessage = function (message, ...rest) {
  const asked = message?.type === 2 && typeof message.data === "string"
  return ask.call(this, asked ? { ...message, data: question(message.data) } : message, ...rest)
}

function question(typed) {
  // A dash before a word would leave out all pages with that word: an option is looked for by the words it is made of.
  // What it does is told in the text; a title in which one of its words stands is about something else.
  const words = typed.replace(/(^|\s)--+([^\s=]+)/g, (_, before, option) =>
    before + option.split("-").map(word => `text:${word}`).join(" ")).trim().split(/\s+/)
  // The theme looks for what words begin with, which no ending survives where words are kept without theirs: each word
  // is asked for a second time, with a weight, which makes the search take off its ending.
  if (!words.every(word => /^(text:)?\p{L}+$/u.test(word))) return words.join(" ")
  return words.flatMap(word => [word, `${word}^1`]).join(" ")
}
