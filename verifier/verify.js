// Verifying a record of a match, talon-record/1: docs/record-format.md says what is checked.
//
//   verify(bytes, { keys })  ->  { match, status, events, sealedFrom, keyId, keyIsGiven, faults }
//
// `keys` are trusted public keys in hex; without them the key in the record itself is taken.
// In Node: require("./verify.js"). In a page: the scripts in the order of SCRIPTS, as they are.
(function (talon) {
  "use strict";

  const SCRIPTS = ["crypto.js", "record.js", "deal.js", "counting.js", "match.js"];
  if (typeof module === "object" && typeof require === "function") {
    for (const script of SCRIPTS) require(`./${script}`);
    module.exports = talon;
  }

  const { bytes, text, unsigned, hex, unhex, sha256, Fault, where } = talon;

  function chain(record) {
    let previous = sha256(bytes(text("talon-genesis/1"), record.match));
    let position = 0;
    for (const [at, event] of record.events.entries()) {
      if (event.version !== at + 1) {
        throw new Fault("chain", `version ${at + 1} is missing here`, where(event));
      }
      if (event.position <= position) {
        throw new Fault("chain", "its position is not after the one before", where(event));
      }
      const [type, actor, data] = [event.type, event.actor, event.data].map(text);
      previous = sha256(bytes(
        text("talon-event/1"), record.match, unsigned(event.version, 8),
        unsigned(type.length, 1), type, unsigned(event.schema, 2), unsigned(event.occurred_at, 8),
        unsigned(actor.length, 1), actor,
        event.command_id === null ? new Uint8Array(16) : unhex(event.command_id),
        previous, unsigned(data.length, 4), data,
      ));
      if (hex(previous) !== event.hash) {
        throw new Fault("chain", "the hash is not that of its fields", where(event));
      }
      position = event.position;
    }
  }

  function seeds(record, data) {
    const bound = new Map();
    for (const [at, one] of data.entries()) {
      if (one.type === "round_committed" && !bound.has(one.round)) {
        bound.set(one.round, one.commitment);
      }
      if (one.type !== "seed_revealed") continue;
      const isRound = Number.isSafeInteger(one.round) && one.round > 0 && one.round < 2 ** 32;
      const isHex = isRound && typeof one.seed === "string" && /^([0-9a-f]{2})+$/.test(one.seed);
      const seed = isHex ? talon.commitment(record.match, one.round, unhex(one.seed)) : null;
      if (seed === null || bound.get(one.round) !== seed) {
        const words = `round ${one.round}: the seed is not the one committed to`;
        throw new Fault("seeds", words, where(record.events[at]));
      }
    }
  }

  function seats(record, match) {
    const { first } = record;
    if (first.ruleset !== match.ruleset || first.ruleset_version !== match.rulesetVersion) {
      throw new Fault("seats", "the first line names other rules than the match has", { line: 1 });
    }
    let before = -1;
    for (const [at, one] of record.seats.entries()) {
      const player = unhex(one.player_id.replaceAll("-", ""));
      const digest = hex(sha256(bytes(unhex(one.salt), player)));
      if (one.seat <= before || match.seats[one.seat] !== digest) {
        const words = `seat ${one.seat} was not taken by this player`;
        throw new Fault("seats", words, { line: at + 2 });
      }
      before = one.seat;
    }
  }

  function head(record) {
    const { last, events } = record;
    const line = record.seats.length + events.length + 2;
    const end = events[events.length - 1];
    if (last.head !== end.version || last.position !== end.position || last.hash !== end.hash) {
      throw new Fault("head", "the head is not the last event", { line });
    }
    if (last.digest !== record.digest) {
      throw new Fault("head", "the lines before it are not those that were signed", { line });
    }
  }

  function signature(record, keys) {
    const { last } = record;
    const line = record.seats.length + record.events.length + 2;
    if (keys !== null && !keys.includes(last.public_key)) {
      throw new Fault("signature", `key ${last.key_id} is none of those given`, { line });
    }
    const key = unhex(last.public_key);
    if (hex(sha256(bytes(text("talon-signing-key/1"), key))).slice(0, 16) !== last.key_id) {
      throw new Fault("signature", "the key's id is not that of the key", { line });
    }
    const said = bytes(
      text("talon-record/1"), record.match, unsigned(last.head, 8), unsigned(last.position, 8),
      unhex(last.hash), unhex(last.digest),
    );
    if (!talon.isSigned(key, said, unhex(last.signature))) {
      throw new Fault("signature", "the signature is not by this key", { line });
    }
  }

  // Checks everything; `each(event, match)` is told of every event that holds.
  function verify(content, { keys = null, each } = {}) {
    const report = {
      match: null, status: null, events: 0, sealedFrom: null, keyId: null,
      keyIsGiven: keys !== null, faults: [],
    };
    const attempt = (check) => {
      try {
        return check();
      } catch (error) {
        const isForeign = error instanceof RangeError || error instanceof TypeError;
        if (!(error instanceof Fault || isForeign)) throw error;
        report.faults.push(isForeign ? new Fault("form", "it cannot be checked") : error);
        return undefined;
      }
    };
    const record = attempt(() => talon.read(content));
    if (record === undefined) return report;
    report.match = record.first.match;
    report.events = record.events.length;
    report.keyId = record.last.key_id;
    attempt(() => chain(record));
    const data = attempt(() => record.events.map(talon.dataOf));
    if (data !== undefined) {
      attempt(() => seeds(record, data));
      const played = attempt(() => talon.play(record, data, each));
      if (played !== undefined) {
        report.status = played.match.status;
        report.sealedFrom = played.sealedFrom;
        attempt(() => seats(record, played.match));
      }
    }
    attempt(() => head(record));
    attempt(() => signature(record, keys));
    return report;
  }

  Object.assign(talon, { verify, SCRIPTS });
})((globalThis.TalonVerifier ??= {}));
