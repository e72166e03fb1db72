// The cryptography that a record needs, written out: SHA-256, SHA-512, HMAC, SHAKE-256 (FIPS 180-4,
// 198-1, 202) and the verification of Ed25519 (RFC 8032). Nothing here signs or keeps a secret.
(function (talon) {
  "use strict";

  const MASK = (1n << 64n) - 1n;

  function primes(count) {
    const found = [];
    for (let n = 2; found.length < count; n++) {
      if (found.every((one) => n % one !== 0)) found.push(n);
    }
    return found;
  }

  function root(power, number) {
    let low = 0n;
    let high = 1n << 80n;
    while (low < high) {
      const middle = (low + high + 1n) >> 1n;
      if (middle ** power <= number) low = middle;
      else high = middle - 1n;
    }
    return low;
  }

  // The first 64 bits of the fractions of cube and square roots of primes.
  const K64 = primes(80).map((p) => root(3n, BigInt(p) << 192n) & MASK);
  const H64 = primes(8).map((p) => root(2n, BigInt(p) << 128n) & MASK);
  const K32 = Int32Array.from(K64.slice(0, 64), (k) => Number(k >> 32n) | 0);
  const H32 = Int32Array.from(H64, (h) => Number(h >> 32n) | 0);
  const W = new Int32Array(64);

  function bytes(...parts) {
    const size = parts.reduce((sum, part) => sum + part.length, 0);
    const joined = new Uint8Array(size);
    let at = 0;
    for (const part of parts) {
      joined.set(part, at);
      at += part.length;
    }
    return joined;
  }

  const encoder = new TextEncoder();
  const text = (string) => encoder.encode(string);

  function unsigned(number, size) {
    const written = new Uint8Array(size);
    let rest = BigInt.asUintN(64, BigInt(number));
    for (let at = size - 1; at >= 0; at--) {
      written[at] = Number(rest & 255n);
      rest >>= 8n;
    }
    return written;
  }

  const DIGITS = Array.from({ length: 256 }, (_, n) => n.toString(16).padStart(2, "0"));
  const hex = (data) => Array.from(data, (byte) => DIGITS[byte]).join("");
  function unhex(digits) {
    const data = new Uint8Array(digits.length / 2);
    for (let at = 0; at < data.length; at++) data[at] = parseInt(digits.substr(2 * at, 2), 16);
    return data;
  }

  function padded(message, block, lengthBytes) {
    const size = Math.ceil((message.length + 1 + lengthBytes) / block) * block;
    const data = new Uint8Array(size);
    data.set(message);
    data[message.length] = 0x80;
    data.set(unsigned(message.length * 8, 8), size - 8);
    return data;
  }

  function sha256(message) {
    const data = padded(message, 64, 8);
    const view = new DataView(data.buffer);
    const h = H32.slice();
    for (let start = 0; start < data.length; start += 64) {
      for (let t = 0; t < 16; t++) W[t] = view.getInt32(start + 4 * t);
      for (let t = 16; t < 64; t++) {
        const a = W[t - 15];
        const b = W[t - 2];
        const s0 = ((a >>> 7) | (a << 25)) ^ ((a >>> 18) | (a << 14)) ^ (a >>> 3);
        const s1 = ((b >>> 17) | (b << 15)) ^ ((b >>> 19) | (b << 13)) ^ (b >>> 10);
        W[t] = (W[t - 16] + s0 + W[t - 7] + s1) | 0;
      }
      compress(h);
    }
    const digest = new Uint8Array(32);
    const written = new DataView(digest.buffer);
    h.forEach((word, at) => written.setInt32(4 * at, word));
    return digest;
  }

  function compress(state) {
    let a = state[0], b = state[1], c = state[2], d = state[3];
    let e = state[4], f = state[5], g = state[6], h = state[7];
    for (let t = 0; t < 64; t++) {
      const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
      const first = (h + s1 + ((e & f) ^ (~e & g)) + K32[t] + W[t]) | 0;
      const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
      const second = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g; g = f; f = e; e = (d + first) | 0;
      d = c; c = b; b = a; a = (first + second) | 0;
    }
    state[0] += a; state[1] += b; state[2] += c; state[3] += d;
    state[4] += e; state[5] += f; state[6] += g; state[7] += h;
  }

  function sha512(message) {
    const data = padded(message, 128, 16);
    const view = new DataView(data.buffer);
    const turn = (x, n) => ((x >> n) | (x << (64n - n))) & MASK;
    const h = H64.slice();
    for (let start = 0; start < data.length; start += 128) {
      const w = Array.from({ length: 16 }, (_, t) => view.getBigUint64(start + 8 * t));
      for (let t = 16; t < 80; t++) {
        const s0 = turn(w[t - 15], 1n) ^ turn(w[t - 15], 8n) ^ (w[t - 15] >> 7n);
        const s1 = turn(w[t - 2], 19n) ^ turn(w[t - 2], 61n) ^ (w[t - 2] >> 6n);
        w[t] = (w[t - 16] + s0 + w[t - 7] + s1) & MASK;
      }
      const s = h.slice();
      for (let t = 0; t < 80; t++) {
        const [a, b, c, d, e, f, g, last] = s;
        const s1 = turn(e, 14n) ^ turn(e, 18n) ^ turn(e, 41n);
        const first = last + s1 + ((e & f) ^ ((e ^ MASK) & g)) + K64[t] + w[t];
        const s0 = turn(a, 28n) ^ turn(a, 34n) ^ turn(a, 39n);
        const second = s0 + ((a & b) ^ (a & c) ^ (b & c));
        s.pop();
        s.unshift((first + second) & MASK);
        s[4] = (d + first) & MASK;
      }
      s.forEach((word, at) => { h[at] = (h[at] + word) & MASK; });
    }
    return bytes(...h.map((word) => unsigned(word, 8)));
  }

  function hmac(key, message) {
    const short = key.length > 64 ? sha256(key) : key;
    const inner = new Uint8Array(64).fill(0x36);
    const outer = new Uint8Array(64).fill(0x5c);
    short.forEach((byte, at) => { inner[at] ^= byte; outer[at] ^= byte; });
    return sha256(bytes(outer, sha256(bytes(inner, message))));
  }

  const RATE = 136;
  const IOTA = iota();

  function iota() {
    let bits = 1;
    return Array.from({ length: 24 }, () => {
      let constant = 0n;
      for (let j = 0; j < 7; j++) {
        bits = ((bits << 1) ^ ((bits >> 7) * 0x71)) % 256;
        if (bits & 2) constant ^= 1n << BigInt((1 << j) - 1);
      }
      return [Number(constant & 0xffffffffn) | 0, Number(constant >> 32n) | 0];
    });
  }

  function permute(lo, hi) {
    const c = new Int32Array(10);
    for (const [low, high] of IOTA) {
      for (let x = 0; x < 5; x++) {
        c[x] = lo[x] ^ lo[x + 5] ^ lo[x + 10] ^ lo[x + 15] ^ lo[x + 20];
        c[x + 5] = hi[x] ^ hi[x + 5] ^ hi[x + 10] ^ hi[x + 15] ^ hi[x + 20];
      }
      for (let x = 0; x < 5; x++) {
        const left = (x + 4) % 5;
        const right = (x + 1) % 5;
        const dl = c[left] ^ ((c[right] << 1) | (c[right + 5] >>> 31));
        const dh = c[left + 5] ^ ((c[right + 5] << 1) | (c[right] >>> 31));
        for (let at = x; at < 25; at += 5) { lo[at] ^= dl; hi[at] ^= dh; }
      }
      let x = 1;
      let y = 0;
      let l = lo[1];
      let h = hi[1];
      for (let t = 0; t < 24; t++) {
        [x, y] = [y, (2 * x + 3 * y) % 5];
        const by = (((t + 1) * (t + 2)) / 2) % 64;
        if (by >= 32) [l, h] = [h, l];
        const n = by % 32;
        const turnedL = n === 0 ? l : (l << n) | (h >>> (32 - n));
        const turnedH = n === 0 ? h : (h << n) | (l >>> (32 - n));
        const at = x + 5 * y;
        l = lo[at]; h = hi[at];
        lo[at] = turnedL; hi[at] = turnedH;
      }
      for (let row = 0; row < 25; row += 5) {
        const l5 = lo.slice(row, row + 5);
        const h5 = hi.slice(row, row + 5);
        for (let i = 0; i < 5; i++) {
          lo[row + i] = l5[i] ^ (~l5[(i + 1) % 5] & l5[(i + 2) % 5]);
          hi[row + i] = h5[i] ^ (~h5[(i + 1) % 5] & h5[(i + 2) % 5]);
        }
      }
      lo[0] ^= low;
      hi[0] ^= high;
    }
  }

  // SHAKE-256 of a message, read byte by byte for as long as somebody asks.
  function shake256(message) {
    const lo = new Int32Array(25);
    const hi = new Int32Array(25);
    const data = new Uint8Array(Math.floor(message.length / RATE + 1) * RATE);
    data.set(message);
    data[message.length] ^= 0x1f;
    data[data.length - 1] ^= 0x80;
    const view = new DataView(data.buffer);
    for (let start = 0; start < data.length; start += RATE) {
      for (let lane = 0; lane < RATE / 8; lane++) {
        lo[lane] ^= view.getInt32(start + 8 * lane, true);
        hi[lane] ^= view.getInt32(start + 8 * lane + 4, true);
      }
      permute(lo, hi);
    }
    let at = 0;
    return function next() {
      if (at === RATE) {
        permute(lo, hi);
        at = 0;
      }
      const half = at % 8 < 4 ? lo : hi;
      const byte = (half[at >> 3] >>> (8 * (at % 4))) & 255;
      at += 1;
      return byte;
    };
  }

  const P = (1n << 255n) - 19n;
  const L = (1n << 252n) + 27742317777372353535851937790883648493n;
  const mod = (n) => { const rest = n % P; return rest < 0n ? rest + P : rest; };
  function power(base, exponent) {
    let result = 1n;
    for (let b = base, e = exponent; e > 0n; e >>= 1n, b = (b * b) % P) {
      if (e & 1n) result = (result * b) % P;
    }
    return result;
  }
  const D = mod(-121665n * power(121666n, P - 2n));
  const HALF = power(2n, (P - 1n) / 4n);
  const little = (data) => data.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n);

  // A point as [x, y, z, xy/z], or null if the bytes are none.
  function point(data) {
    const written = little(data);
    const sign = written >> 255n;
    const y = written & ((1n << 255n) - 1n);
    if (y >= P) return null;
    const u = mod(y * y - 1n);
    const v = mod(D * y * y + 1n);
    let x = mod(u * v ** 3n * power(mod(u * v ** 7n), (P - 5n) / 8n));
    if (mod(v * x * x) !== u) x = mod(x * HALF);
    if (mod(v * x * x) !== u || (x === 0n && sign === 1n)) return null;
    if ((x & 1n) !== sign) x = P - x;
    return [x, y, 1n, mod(x * y)];
  }

  function add([x1, y1, z1, t1], [x2, y2, z2, t2]) {
    const a = mod((y1 - x1) * (y2 - x2));
    const b = mod((y1 + x1) * (y2 + x2));
    const c = mod(2n * t1 * D * t2);
    const d = mod(2n * z1 * z2);
    const [e, f, g, h] = [b - a, d - c, d + c, b + a];
    return [mod(e * f), mod(g * h), mod(f * g), mod(e * h)];
  }

  const BASE = point(unhex("58" + "66".repeat(31)));

  function isSigned(publicKey, message, signature) {
    const key = point(publicKey);
    const r = point(signature.slice(0, 32));
    const s = little(signature.slice(32));
    if (publicKey.length !== 32 || signature.length !== 64 || !key || !r || s >= L) return false;
    const h = little(sha512(bytes(signature.slice(0, 32), publicKey, message))) % L;
    const minus = [P - key[0], key[1], 1n, mod(-key[3])];
    const both = add(BASE, minus);
    let sum = [0n, 1n, 1n, 0n];
    for (let bit = 252n; bit >= 0n; bit--) {
      sum = add(sum, sum);
      const one = (s >> bit) & 1n;
      const other = (h >> bit) & 1n;
      if (one && other) sum = add(sum, both);
      else if (one) sum = add(sum, BASE);
      else if (other) sum = add(sum, minus);
    }
    return mod(sum[0] - r[0] * sum[2]) === 0n && mod(sum[1] - r[1] * sum[2]) === 0n;
  }

  Object.assign(talon, { bytes, text, unsigned, hex, unhex });
  Object.assign(talon, { sha256, sha512, hmac, shake256, isSigned });
})((globalThis.TalonVerifier ??= {}));
