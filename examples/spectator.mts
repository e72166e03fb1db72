/**
 * A spectator: tells a match as it happens, from its beginning to its end.
 *
 *     node clients/typescript/dist/run/examples/spectator.mjs http://127.0.0.1:8000 MATCH
 */

import { type Item, Talon } from "talon-client";

const [url = "http://127.0.0.1:8000", match = ""] = process.argv.slice(2);

function told({ event }: Item): string | undefined {
  switch (event.type) {
    case "match_started":
      return "The match begins.";
    case "round_started":
      return `Round ${event.round} begins.`;
    case "card_played":
      return `Seat ${event.seat} plays ${event.card}${event.uno ? " and says UNO" : ""}.`;
    case "cards_drawn":
      return `Seat ${event.seat} draws ${event.drawn}.`;
    case "match_ended":
    case "match_abandoned":
      return "The match is over.";
    default:
      return undefined; // there may be more types of events than this program knows
  }
}

for await (const item of new Talon(url).items(match)) {
  const line = told(item);
  if (line !== undefined) console.log(`${item.version}: ${line}`);
}
