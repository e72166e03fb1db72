// The form of a record, talon-record/1: lines of JSON, each in its one canonical form.
// Not here: whether what they say holds (match.js, verify.js).
(function (talon) {
  "use strict";

  const FORMAT = "talon-record/1";
  const CHAIN = "talon-event/1";
  const DEAL = "talon-deal/1";

  // What is wrong: by which check, and where.
  class Fault extends Error {
    constructor(check, words, where = {}) {
      super(words);
      Object.assign(this, { check, words, ...where });
    }

    toString() {
      const at = this.version === undefined ? "" : `version ${this.version} (${this.type}): `;
      const line = this.line === undefined ? "" : `line ${this.line}: `;
      return `${this.check}: ${at || line}${this.words}`;
    }
  }

  const digits = (size) => {
    const form = new RegExp(`^[0-9a-f]{${2 * size}}$`);
    return (value) => typeof value === "string" && form.test(value);
  };
  const uuid = (value) =>
    typeof value === "string" && /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/.test(value);
  const within = (low, high) => (value) =>
    Number.isSafeInteger(value) && value >= low && value <= high;
  const count = within(1, Number.MAX_SAFE_INTEGER);
  const string = (value) => typeof value === "string";
  const short = (value) => string(value) && value !== "" && talon.text(value).length < 256;
  const exactly = (known) => (value) => value === known;
  const perhaps = (form) => (value) => value === null || form(value);

  const KINDS = {
    record: {
      record: exactly(FORMAT), match: uuid, ruleset: string, ruleset_version: count,
      events: exactly(CHAIN), deal: exactly(DEAL),
    },
    seat: { seat: within(0, Number.MAX_SAFE_INTEGER), player_id: uuid, salt: digits(16) },
    version: {
      version: count, position: count, type: short, schema: within(1, 65535),
      occurred_at: within(-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER), actor: short,
      command_id: perhaps(digits(16)), data: string, hash: digits(32),
    },
    head: {
      head: count, position: count, hash: digits(32), digest: digits(32), key_id: digits(8),
      public_key: digits(32), signature: digits(64),
    },
  };
  const MEMBERS = Object.fromEntries(
    Object.entries(KINDS).map(([kind, forms]) => [kind, Object.keys(forms).join()]),
  );

  function parsed(line, number) {
    let object;
    try {
      object = JSON.parse(line);
    } catch (error) {
      throw new Fault("form", `this is no JSON: ${error.message}`, { line: number });
    }
    const kind = object === null || typeof object !== "object" ? "" : Object.keys(object)[0];
    if (!Object.hasOwn(KINDS, kind) || Object.keys(object).join() !== MEMBERS[kind]) {
      throw new Fault("form", "these are not the members of any line", { line: number });
    }
    for (const [name, form] of Object.entries(KINDS[kind])) {
      if (!form(object[name])) {
        throw new Fault("form", `${name} is not of its form`, { line: number });
      }
    }
    if (written(object) !== line || /\\[^"\\]/.test(line.replaceAll("\\\\", ""))) {
      throw new Fault("form", "the line is not in the canonical form", { line: number });
    }
    return [kind, object];
  }

  // The record in these bytes; throws a Fault.
  function read(content) {
    if (content.length === 0 || content[content.length - 1] !== 10) {
      throw new Fault("form", "the last line has no end");
    }
    let whole;
    try {
      whole = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
    } catch {
      throw new Fault("form", "this is not UTF-8");
    }
    const lines = whole.slice(0, -1).split("\n");
    const kinds = lines.map((line, at) => parsed(line, at + 1));
    const order = kinds.map(([kind]) => kind[0]).join("");
    if (!/^rs*v+h$/.test(order)) {
      throw new Fault("form", "the lines are not those of one record, in their order");
    }
    const last = talon.text(lines[lines.length - 1]).length + 1;
    const all = (wanted) => kinds.filter(([kind]) => kind === wanted).map(([, object]) => object);
    const first = kinds[0][1];
    return {
      first,
      match: talon.unhex(first.match.replaceAll("-", "")),
      seats: all("seat"),
      events: all("version"),
      last: kinds[kinds.length - 1][1],
      digest: talon.hex(talon.sha256(content.subarray(0, content.length - last))),
    };
  }

  // The object in an event's data; throws a Fault if it is not written canonically.
  function dataOf(event) {
    const fault = (words) => new Fault("events", words, where(event));
    let data;
    try {
      data = JSON.parse(event.data);
    } catch (error) {
      throw fault(`the data is no JSON: ${error.message}`);
    }
    if (data === null || typeof data !== "object" || Array.isArray(data)) {
      throw fault("the data is no object");
    }
    if (written(data) !== event.data || !isPlain(data)) {
      throw fault("the data is not in the canonical form");
    }
    if (Object.keys(data)[0] !== "type" || data.type !== event.type) {
      throw fault("the data is of another type");
    }
    return data;
  }

  // The value as JSON; nothing for what is nested so deep that it cannot be written.
  function written(value) {
    try {
      return JSON.stringify(value);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return null;
    }
  }

  function isPlain(value) {
    if (typeof value === "number") return Number.isSafeInteger(value);
    if (value === null || typeof value !== "object") return true;
    return Object.values(value).every(isPlain);
  }

  const where = (event) => ({ version: event.version, type: event.type });

  // The records of a file that holds several, one after the other.
  function split(content) {
    const mark = talon.text('{"record":');
    const starts = [0];
    for (let at = content.indexOf(10); at >= 0; at = content.indexOf(10, at + 1)) {
      if (mark.every((byte, offset) => content[at + 1 + offset] === byte)) starts.push(at + 1);
    }
    return starts.map((start, n) => content.subarray(start, starts[n + 1] ?? content.length));
  }

  Object.assign(talon, { Fault, read, dataOf, split, where });
})((globalThis.TalonVerifier ??= {}));
