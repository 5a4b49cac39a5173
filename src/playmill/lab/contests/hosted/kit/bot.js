// A bot for any game: it takes one of its options by the chance that it is handed. Make it better.
const lines = require("readline").createInterface({ input: process.stdin });

lines.on("line", line => {
  const message = JSON.parse(line);
  const say = answer => process.stdout.write(JSON.stringify(answer) + "\n");
  if (message.type === "hello") say({ type: "ready" });
  else if (message.type === "act") {
    const index = message.random % message.options.length;
    say({ type: "answer", number: message.number, index });
  } else if (message.type === "quit") process.exit(0);
});
