/** A body of JSON lines, as it comes. */

/** Each line's value; empty lines mean nothing. Throws after `silence` ms without a byte. */
export async function* lines<T>(
  body: ReadableStream<Uint8Array>,
  silence: number,
): AsyncGenerator<T, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  for (;;) {
    const { done, value } = await within(reader.read(), silence);
    if (done) return; // a last line without its end has broken off
    const parts = (rest + decoder.decode(value, { stream: true })).split("\n");
    rest = parts.pop() ?? "";
    for (const line of parts) if (line !== "") yield JSON.parse(line) as T;
  }
}

async function within<T>(promise: Promise<T>, ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`silent for ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
