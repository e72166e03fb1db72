/** Somebody at a service: the operations that every client needs, and live streams. */

import createClient, { type Client } from "openapi-fetch";

import { lines } from "./lines.js";
import { type Problem, Refused, StreamEnded, ok } from "./refusals.js";
import { delay, patient } from "./retries.js";
import type { components, paths } from "./schema.js";

export type Schemas = components["schemas"];
export type Item = Schemas["Item"];
export type View = Schemas["TableView"];

export interface Settings {
  token?: string;
  /** With an app's key: the player of the app that acts. */
  player?: string;
  /** Opens a private match to a spectator. */
  invite?: string;
  /** For how many ms a request is sent again while the service is away or busy. */
  patience?: number;
  fetch?: typeof fetch;
}

/** The last thing that a stream tells. */
interface End {
  type: "end";
  reason: string;
  detail: string;
}

const WAIT_SECONDS = 20;
/** A stream that is silent for longer is lost: the service breaks silence sooner. */
const SILENCE_MS = 60_000;
const OVER = new Set(["finished", "abandoned", "voided"]);
const FINAL = new Set(["token_invalid", "not_yours"]);

/** A service as somebody sees it; without a token, as a spectator does. */
export class Talon {
  /** Every operation of the interface, typed. */
  readonly api: Client<paths>;
  /** Who keeps it is the same player next time. */
  readonly token: string | undefined;
  /** The player, where it is known: registered here, or given. */
  playerId: string | undefined;
  private readonly headers: Record<string, string>;
  private readonly fetch: typeof fetch;

  constructor(readonly url: string, settings: Settings = {}) {
    const { token, player, invite } = settings;
    this.token = token;
    this.playerId = player;
    this.headers = {
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(player === undefined ? {} : { "Talon-Player": player }),
      ...(invite === undefined ? {} : { "Talon-Invite": invite }),
    };
    this.fetch = patient(settings.fetch, settings.patience);
    this.api = createClient<paths>({ baseUrl: url, headers: this.headers, fetch: this.fetch });
  }

  /** A new player, where the service lets anybody be one. */
  static async register(url: string, name: string, settings: Settings = {}): Promise<Talon> {
    const stranger = new Talon(url, settings);
    const made = ok(await stranger.api.POST("/v1/players", { body: { name } }));
    const somebody = new Talon(url, { ...settings, token: made.token });
    somebody.playerId = made.player_id;
    return somebody;
  }

  /** Send a command, or one of a view's `legal`; a `key` of one's own outlives this process. */
  async act(
    match: string,
    command: Schemas["PlayerCommand"],
    key: string = crypto.randomUUID(),
  ): Promise<Schemas["CommandDone"]> {
    const done = await this.api.POST("/v1/matches/{match_id}/commands", {
      params: { path: { match_id: match }, header: { "Idempotency-Key": key } },
      body: command,
    });
    return ok(done) as Schemas["CommandDone"];
  }

  /** The match as one sees it, now and whenever something has happened, until it is over. */
  async *views(match: string): AsyncGenerator<View, void, undefined> {
    for (let tag: string | undefined; ; ) {
      const answer = await this.api.GET("/v1/matches/{match_id}/view", {
        params: {
          path: { match_id: match },
          query: { wait: WAIT_SECONDS },
          header: tag === undefined ? {} : { "If-None-Match": tag },
        },
      });
      if (answer.response.status === 304) continue;
      const view = ok(answer);
      tag = answer.response.headers.get("ETag") ?? undefined;
      yield view;
      if (OVER.has(view.status)) return;
    }
  }

  /**
   * The history live: each item once and in order, until the match is over. A connection that is
   * lost is made again, for as long as it takes.
   */
  async *items(match: string, after = 0): AsyncGenerator<Item, void, undefined> {
    for (let pause = 100; ; pause = Math.min(2 * pause, 10_000)) {
      try {
        for await (const told of this.told(match, after)) {
          if (!("reason" in told)) {
            [after, pause] = [told.version, 100];
            yield told;
          } else if (FINAL.has(told.reason)) {
            throw new StreamEnded(told.reason, told.detail);
          } else if (told.reason === "match_over") return;
        }
      } catch (error) {
        if (error instanceof Refused || error instanceof StreamEnded) throw error;
      }
      await delay(pause);
    }
  }

  /** What one stream tells: items, and perhaps why it ends. */
  private async *told(match: string, after: number): AsyncGenerator<Item | End, void, undefined> {
    const url = new URL(`/v1/matches/${match}/events/stream?after=${after}`, this.url);
    const ended = new AbortController();
    try {
      const answer = await this.fetch(url, {
        headers: { ...this.headers, Accept: "application/x-ndjson" },
        signal: ended.signal,
      });
      if (answer.status === 204) yield { type: "end", reason: "match_over", detail: "" };
      else if (!answer.ok) throw new Refused((await answer.json()) as Problem);
      else yield* lines<Item | End>(answer.body!, SILENCE_MS);
    } finally {
      ended.abort();
    }
  }
}
