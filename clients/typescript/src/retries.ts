/** Requests that are sent again: each POST with a key, so that it acts once however often it goes. */

const AGAIN = new Set([429, 502, 503, 504]);
const PAUSE_MS_MAX = 10_000;

/** A `fetch` that sends a request again for `patience` ms while the service is away or busy. */
export function patient(inner: typeof fetch = fetch, patience = 60_000): typeof fetch {
  return async (input, init) => {
    const first = new Request(input, init);
    if (first.method === "POST" && !first.headers.has("Idempotency-Key")) {
      first.headers.set("Idempotency-Key", crypto.randomUUID());
    }
    const until = Date.now() + patience;
    for (let pause = 100; ; pause = Math.min(2 * pause, PAUSE_MS_MAX)) {
      let wait = pause;
      try {
        const answer = await inner(first.clone());
        wait = Math.max(pause, 1_000 * askedFor(answer));
        if (!AGAIN.has(answer.status) || Date.now() + wait > until) return answer;
        await answer.body?.cancel();
      } catch (error) {
        if (first.signal.aborted || Date.now() + pause > until) throw error;
      }
      await delay(wait, first.signal);
    }
  };
}

/** Waits, and a little longer by chance; throws if the signal says that nobody waits any more. */
export async function delay(ms: number, signal?: AbortSignal): Promise<void> {
  await new Promise((done) => setTimeout(done, ms * (1 + Math.random() / 4)));
  signal?.throwIfAborted();
}

function askedFor(answer: Response): number {
  const given = answer.headers.get("Retry-After") ?? "";
  return /^\d+$/.test(given) ? Number(given) : 0;
}
