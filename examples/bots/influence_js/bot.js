// A bot for Influence in JavaScript: takes what is free or weaker, and strengthens the cells the enemy can reach.
//
//   playmill simulate influence --agents program:examples/bots/influence_js random
"use strict";

const readline = require("node:readline");

/** Everything the heuristic looks at, by cell [row, column]. */
function view(seen) {
  const on = (grid) => ([row, column]) => grid[row][column];
  const around = on(seen.neighbours);
  return {
    me: seen.player,
    owner: on(seen.owners),
    strength: on(seen.influence),
    capacity: on(seen.capacity),
    around: (cell) => (around(cell) || []).map(([, row, column]) => [row, column]),
  };
}

/** How much an attack brings: free cells first, then the enemy's if ours is stronger, most of all near what is ours. */
function attack(board, { from, to }) {
  const [ours, theirs] = [board.strength(from), board.strength(to)];
  const opened = board.around(to).filter((cell) => board.owner(cell) !== board.me).length;
  if (board.owner(to) === 0) return 10 + opened + board.capacity(to) / 100;
  return ours > theirs ? 20 + (ours - theirs) + opened / 10 : -1;
}

/** How much a point is worth on a cell: where the enemy is near and stronger; else where there is something to take. */
function place(board, cell) {
  const near = board.around(cell);
  const enemies = near.filter((other) => ![0, board.me].includes(board.owner(other)));
  const threat = Math.max(0, ...enemies.map(board.strength)) - board.strength(cell);
  const free = near.filter((other) => board.owner(other) === 0).length;
  return enemies.length ? 10 + threat : free ? 5 - board.strength(cell) / 10 : 0;
}

function worth(board, fields) {
  if (fields.act === "attack") return attack(board, fields);
  if (fields.act === "place") return place(board, fields.cell);
  return 0; // to end the attack, to have the rest placed
}

function answer(message) {
  const board = view(message.seen);
  const values = message.options.map((option) => worth(board, option.fields));
  const index = values.indexOf(Math.max(...values));
  return { type: "answer", number: message.number, index };
}

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  const say = (reply) => process.stdout.write(JSON.stringify(reply) + "\n");
  if (message.type === "hello") say({ type: "ready", name: "Frontier" });
  else if (message.type === "act") say(answer(message));
  else if (message.type === "quit") process.exit(0);
});
