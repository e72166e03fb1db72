// How cards are dealt, talon-deal/1: decks, keys, shuffles, the draw for the dealer, the deal.
(function (talon) {
  "use strict";

  const { bytes, text, unsigned, hex, hmac, sha256, shake256 } = talon;
  const COLORS = ["red", "yellow", "green", "blue"];

  function deckOf(edition) {
    const deck = [];
    for (const letter of "RYGB") {
      deck.push(letter + "0");
      for (const face of "123456789SRD") deck.push(letter + face, letter + face);
    }
    deck.push("W", "W", "W", "W", "W4", "W4", "W4", "W4");
    return edition === "modern-112" ? [...deck, "WS", "WC", "WC", "WC"] : deck;
  }

  const isWild = (card) => card[0] === "W";
  const colorOf = (card) => COLORS.find((color) => color[0].toUpperCase() === card[0]) ?? null;
  const byCode = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

  function worthOf(hand) {
    return hand.reduce((sum, card) => sum + worth(card), 0);
  }

  function worth(card) {
    if (isWild(card)) return card === "WS" || card === "WC" ? 40 : 50;
    return "SRD".includes(card[1]) ? 20 : Number(card[1]);
  }

  function commitment(match, round, secret) {
    return hex(sha256(bytes(text("talon-commit/1"), match, unsigned(round, 4), secret)));
  }

  function keyOf(match, round, secret, added) {
    const parts = added.flatMap((one) => [unsigned(one.length, 1), one]);
    return hmac(secret, bytes(text("talon-deal/1"), match, unsigned(round, 4), ...parts));
  }

  function shuffled(cards, key, number) {
    const next = shake256(bytes(text("talon-shuffle/1"), key, unsigned(number, 4)));
    const word = () => next() * 2 ** 24 + next() * 2 ** 16 + next() * 2 ** 8 + next();
    const order = [...cards];
    for (let last = order.length - 1; last > 0; last--) {
      const reach = last + 1;
      const bound = 2 ** 32 - (2 ** 32 % reach);
      let drawn = word();
      while (drawn >= bound) drawn = word();
      const chosen = drawn % reach;
      [order[last], order[chosen]] = [order[chosen], order[last]];
    }
    return order;
  }

  function orderDigest(key, number, cards) {
    return hex(hmac(key, bytes(text("talon-order/1"), unsigned(number, 4), text(cards.join(" ")))));
  }

  function drawForDealer(deck, key, seats) {
    const number = (card) => (/^[RYGB]\d$/.test(card) ? Number(card[1]) : 0);
    let order = shuffled(deck, key, 0);
    let shuffles = 1;
    let drawing = Array.from({ length: seats }, (_, seat) => seat);
    const draws = [];
    while (drawing.length > 1) {
      if (order.length < drawing.length) order = shuffled(deck, key, shuffles++);
      const drawn = drawing.map((seat, at) => ({ seat, card: order[at] }));
      order = order.slice(drawing.length);
      const highest = Math.max(...drawn.map((one) => number(one.card)));
      drawing = drawn.filter((one) => number(one.card) === highest).map((one) => one.seat);
      draws.push(drawn);
    }
    return { draws, dealer: drawing[0], shuffles };
  }

  function deal(deck, key, { seats, order, dealer, handSize, number }) {
    let cards = shuffled(deck, key, number);
    const hands = Array.from({ length: seats }, () => []);
    const left = order.indexOf(dealer) + 1;
    for (let n = 0; n < handSize * order.length; n++) {
      hands[order[(left + n) % order.length]].push(cards[n]);
    }
    cards = cards.slice(handSize * order.length);
    let last = number;
    while (cards[0] === "W4") cards = shuffled([...cards.slice(1), "W4"], key, ++last);
    return {
      hands,
      opening: cards[0],
      pile: cards.slice(1),
      putBack: last - number,
      shuffles: last + 1,
      digest: orderDigest(key, last, [...hands.flat(), ...cards]),
    };
  }

  // Hands and pile of a placed position; null if the secret holds none.
  function placed(secret) {
    const parts = String.fromCharCode(...secret.subarray(32)).split("/");
    const lists = parts.map((part) => (part === "" ? [] : part.split(" ")));
    return { hands: lists.slice(0, -1), pile: lists[lists.length - 1] };
  }

  // Whether no card occurs more often among some than among others.
  function isWithin(some, all) {
    const counts = new Map();
    for (const card of all) counts.set(card, (counts.get(card) ?? 0) + 1);
    for (const card of some) {
      const left = (counts.get(card) ?? 0) - 1;
      if (left < 0) return false;
      counts.set(card, left);
    }
    return true;
  }

  Object.assign(talon, {
    deckOf, isWild, colorOf, byCode, worthOf, commitment, keyOf, shuffled, orderDigest,
    drawForDealer, deal, placed, isWithin,
  });
})((globalThis.TalonVerifier ??= {}));
