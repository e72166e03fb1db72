/** A whole match against a bot, over connections that break: `node dist/run/…/match.js URL`. */

import assert from "node:assert/strict";

import { Refused, Talon, type Item, type Schemas, type View, ok } from "talon-client";

type Command = Schemas["PlayerCommand"];

const url = process.argv[2] ?? "http://127.0.0.1:8000";
const sent = new Map<string, number>();
let broken = 0;

/** A network that delivers each command and then loses the first answer to it. */
const lossy: typeof fetch = async (input, init) => {
  const request = new Request(input, init);
  const key = request.headers.get("Idempotency-Key");
  const answer = await fetch(request);
  if (key === null) return answer;
  sent.set(key, (sent.get(key) ?? 0) + 1);
  if (sent.get(key) !== 1 || !answer.ok) return answer;
  await answer.body?.cancel();
  broken += 1;
  throw new TypeError("the connection was lost");
};

function choose(view: View): Command {
  const [first] = (view.legal ?? []).filter(({ type }) => type !== "challenge");
  assert.ok(first);
  return first.type === "play_card" && first.card.startsWith("W")
    ? { ...first, color: "red" }
    : first;
}

const ann = await Talon.register(url, "Ann", { fetch: lossy });
const again = new Talon(url, { token: ann.token });
assert.equal(ok(await again.api.GET("/v1/players/me")).player_id, ann.playerId);

const made = ok(
  await ann.api.POST("/v1/matches", {
    body: { seats: 2, bots: ["random"], rules: { target: 50 } },
  }),
);
const match = made.match_id;
ok(await ann.api.POST("/v1/matches/{match_id}/start", { params: { path: { match_id: match } } }));

const followed: Promise<Item[]> = (async () => {
  const items: Item[] = [];
  for await (const item of ann.items(match)) items.push(item);
  return items;
})();

let acted = 0;
let last: View | undefined;
for await (const view of ann.views(match)) {
  last = view;
  if (view.status !== "running" || !view.legal?.length) continue;
  try {
    await ann.act(match, choose(view));
    acted += 1;
  } catch (error) {
    if (!(error instanceof Refused) || error.status !== 409) throw error; // a bot was quicker
  }
}

const items = await followed;
assert.deepEqual(items.map(({ version }) => version), items.map((_, index) => index + 1));
assert.equal(items.at(-1)?.version, last?.version);
assert.equal(last?.status, "finished");
const start = items.findIndex(({ type }) => type === "match_started");
const setup = new Set(items.slice(0, start + 1).map(({ command_id }) => command_id));
const mine = items.filter(({ actor, command_id }) => actor === "seat:0" && !setup.has(command_id));
assert.equal(new Set(mine.map(({ command_id }) => command_id)).size, acted);
console.log(JSON.stringify({ match, items: items.length, acted, broken }));
