// A match from event to event: hands, piles, shuffles, scores, all recomputed from revealed seeds.
// Not here: whose turn it is, and which plays the rules allow beyond the matching of cards.
(function (talon) {
  "use strict";

  const { Fault, where, unhex } = talon;
  const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

  class Wrong extends Error {}
  class Sealed extends Error {}

  function must(holds, words) {
    if (!holds) throw new Wrong(words);
  }

  const isBytes = (digits, least, most) =>
    typeof digits === "string" && /^([0-9a-f]{2})*$/.test(digits) &&
    digits.length >= 2 * least && digits.length <= 2 * most;

  class Match {
    constructor(id, secrets) {
      Object.assign(this, {
        id, secrets, status: "new", options: {}, deck: [], total: 0, seats: [], added: [],
        commitments: new Map(), committed: 0, opened: new Set(), left: [], away: [],
        eliminated: new Map(), scores: [], round: 0, dealer: null, next: 0, running: false,
        hands: [], pile: [], discards: [], cards: [], color: null, order: [], key: null,
        judged: null, unfit: false, practice: false, advised: {},
        passed: 0,
      });
    }

    // What an event does; throws Wrong, or Sealed where a seed is not known yet.
    happen(event, data) {
      const isOver = ["finished", "abandoned", "voided"].includes(this.status);
      const isVoidedNow = data.type === "match_voided" && this.status !== "voided";
      must(!isOver || isVoidedNow, "the match was over");
      must(this.status !== "new" || data.type === "match_created", "no match was created yet");
      if (!Object.hasOwn(EVENTS, data.type)) throw new Wrong("this event is not known");
      EVENTS[data.type](this, data, event);
      if (MOVES_CARDS.has(data.type) && this.running) this.mustBeWhole();
    }

    mustBeWhole() {
      const all = [...this.hands.flat(), ...this.pile, ...this.discards];
      must(
        all.length === this.cards.length && talon.isWithin(all, this.cards),
        "hands, draw pile and discards are not the cards of the round",
      );
    }

    mustHold(seat) {
      must(Number.isInteger(seat) && this.running && seat in this.hands, "there is no such hand");
      return this.hands[seat];
    }

    // The key of the coming round: from its secret and what players added.
    comingKey(round) {
      if (!this.secrets.has(round)) throw new Sealed();
      return talon.keyOf(this.id, round, this.secrets.get(round), this.added);
    }

    begin(round, key, hands, pile, discards, cards) {
      Object.assign(this, { round, key, hands, pile, discards, cards, running: true });
      Object.assign(this, { unfit: false, judged: null, added: this.seats.map(() => NOTHING) });
    }

    // A shuffle of the round: its number is the next, its digest that of the new order.
    shuffle(cards, { number, count, digest }) {
      must(number === this.next, `the shuffle's number is ${number}, it must be ${this.next}`);
      must(count === cards.length, `it has ${count} cards, there are ${cards.length}`);
      const order = talon.shuffled(cards, this.key, number);
      must(digest === talon.orderDigest(this.key, number, order), "the order is another one");
      this.next += 1;
      return order;
    }

    endRound() {
      Object.assign(this, { running: false });
    }
  }

  const NOTHING = new Uint8Array(0);
  const MOVES_CARDS = new Set([
    "round_started", "position_placed", "card_played", "cards_drawn", "pile_reshuffled",
    "hand_returned", "play_called_out", "hands_swapped", "hands_shuffled",
  ]);

  function takeSeat(match, seat, player) {
    must(match.status === "open" && match.seats.length < match.total, "no seat is free");
    must(seat === match.seats.length, "this is not the next seat");
    match.seats.push(player);
    match.added.push(NOTHING);
  }

  const EVENTS = {
    match_created(match, data, event) {
      must(match.status === "new" && event.version === 1, "this comes first, and once");
      must(Number.isInteger(data.seats) && data.seats >= 2 && data.seats <= 10, "2 to 10 seats");
      Object.assign(match, { status: "open", options: data.options ?? {}, total: data.seats });
      Object.assign(match, { practice: data.practice === true, ruleset: data.ruleset });
      Object.assign(match, { rulesetVersion: data.ruleset_version });
      match.deck = talon.deckOf(match.options.edition ?? "classic-108");
    },
    player_joined(match, data) {
      must(isBytes(data.player, 32, 32), "the player's digest has no such form");
      takeSeat(match, data.seat, data.player);
    },
    bot_seated(match, data) {
      takeSeat(match, data.seat, null);
    },
    player_left(match, data) {
      must(Number.isInteger(data.seat) && data.seat in match.seats, "there is no such seat");
      if (match.status === "open") {
        match.seats.splice(data.seat, 1);
        match.added.splice(data.seat, 1);
        return;
      }
      const gone = match.left.includes(data.seat) || match.away.includes(data.seat);
      must(!gone && match.running, "who leaves was there");
      if (data.bot != null) {
        match.away.push(data.seat);
        return;
      }
      match.left.push(data.seat);
      match.order = match.order.filter((seat) => seat !== data.seat);
    },
    player_returned(match, data) {
      must(match.away.includes(data.seat), "the seat was not kept by a bot");
      match.away = match.away.filter((seat) => seat !== data.seat);
    },
    round_committed(match, data) {
      const is = data.round === match.committed + 1 || (match.practice && match.committed === 0);
      must(is && Number.isInteger(data.round) && data.round > 0, "rounds are committed in order");
      match.commitments.set(data.round, data.commitment);
      match.committed = data.round;
    },
    seed_added(match, data) {
      must(Number.isInteger(data.seat) && data.seat in match.seats, "there is no such seat");
      must(data.round === match.round + 1, "bytes are added to the coming round");
      must(isBytes(data.client_seed, 0, 32), "a player adds up to 32 bytes");
      match.added[data.seat] = unhex(data.client_seed);
    },
    seed_revealed(match, data) {
      must(match.commitments.has(data.round), "the round was not committed before");
      must(!match.opened.has(data.round), "the round was opened before");
      match.opened.add(data.round);
    },
    match_started(match) {
      must(match.status === "open" && match.seats.length === match.total, "seats are not taken");
      match.status = "running";
      match.scores = match.seats.map(() => 0);
    },
    dealer_drawn(match, data) {
      must(match.status === "running" && match.dealer === null, "the deal is drawn for once");
      const key = match.comingKey(match.round + 1);
      const drawn = talon.drawForDealer(match.deck, key, match.total);
      must(same(data.draws, drawn.draws), "the cards drawn for the deal are others");
      must(data.dealer === drawn.dealer, `seat ${drawn.dealer} deals`);
      must(data.shuffles === drawn.shuffles, `there were ${drawn.shuffles} shuffles`);
      Object.assign(match, { drawnDealer: drawn.dealer, next: drawn.shuffles });
    },
    round_started(match, data) {
      must(match.status === "running" && !match.running, "no round is due");
      const round = match.round + 1;
      must(data.round === round, `this is round ${round}`);
      const key = match.comingKey(round);
      const order = talon.orderOf(match, round);
      must(same(data.order, order), `the order is ${order.join(" ")}`);
      const first = match.dealer === null;
      must(!first || match.drawnDealer !== undefined, "nobody has drawn for the deal");
      const dealer = first ? match.drawnDealer : talon.dealerAfter(match.dealer, order);
      must(data.dealer === dealer, `seat ${dealer} deals`);
      const handSize = match.options.starting_hand ?? 7;
      must(data.hand_size === handSize, `each hand has ${handSize} cards`);
      const number = first ? match.next : 0;
      const dealt = talon.deal(match.deck, key, {
        seats: match.total, order, dealer, handSize, number,
      });
      must(data.digest === dealt.digest, "the deal does not follow from the seed");
      must(data.opening === dealt.opening, `${dealt.opening} is turned up`);
      must(data.put_back === dealt.putBack, `${dealt.putBack} wild draw fours are put back`);
      must(data.draw_pile === dealt.pile.length, `${dealt.pile.length} cards are left`);
      must(data.shuffles === dealt.shuffles, `there were ${dealt.shuffles} shuffles`);
      must(data.color === talon.colorOf(dealt.opening), "the color is the opening card's");
      match.begin(round, key, dealt.hands, dealt.pile, [dealt.opening], match.deck);
      Object.assign(match, { order, dealer, next: dealt.shuffles, color: data.color });
    },
    position_placed(match, data) {
      must(match.practice && match.status === "running" && match.round === 0, "not in this match");
      must(Array.isArray(data.discard) && data.discard.length > 0, "nothing lies on top");
      must(data.round === match.committed, "the round was committed before");
      const key = match.comingKey(data.round);
      const { hands, pile } = talon.placed(match.secrets.get(data.round));
      must(same(data.order, talon.orderOf(match, data.round)), "the order is another one");
      must(same(data.hands, hands.map((hand) => hand.length)), "the hands have other lengths");
      must(hands.length === match.total, "there is a hand for each seat");
      must(data.draw_pile === pile.length, "the draw pile has another length");
      const cards = [...hands.flat(), ...pile, ...data.discard];
      must(talon.isWithin(cards, match.deck), "these are not cards of the deck");
      must(data.scores.length === match.total, "there is a score for each seat");
      match.begin(data.round, key, hands, pile, [...data.discard], cards);
      Object.assign(match, { order: data.order, dealer: data.dealer, next: 0, color: data.color });
      match.scores = [...data.scores];
    },
    color_chosen(match, data) {
      match.color = data.color;
    },
    card_played(match, data) {
      const { card } = data;
      const hand = match.mustHold(data.seat);
      const place = hand.indexOf(card);
      must(place >= 0, `seat ${data.seat} did not hold ${card}`);
      const top = match.discards[match.discards.length - 1];
      const fits = talon.isWild(card) || talon.colorOf(card) === match.color ||
        (!talon.isWild(top) && card.slice(1) === top.slice(1));
      const unfit = data.unfit === true;
      must(fits !== unfit, unfit ? "the card fits" : `${card} does not fit on ${top}`);
      must(talon.isWild(card) || data.color === talon.colorOf(card), "a card has its own color");
      must(data.color !== null, "a color is named");
      const rest = hand.filter((_, at) => at !== place);
      must((data.last === true) === (rest.length === 0), "last is said of the last card");
      match.hands[data.seat] = rest;
      match.discards.push(card);
      match.advised = {};
      if ((data.penalty ?? 0) > 0) {
        const color = data.judged_color ?? null;
        must(color === null || color === match.color, "it is judged by the color in force");
        match.judged = { author: data.seat, hand: rest, color: match.color };
      }
      Object.assign(match, { color: data.color, unfit });
    },
    cards_drawn(match, data) {
      const hand = match.mustHold(data.seat);
      const due = Math.min(data.asked, match.pile.length);
      must(data.drawn === due, `${due} cards are drawn`);
      match.hands[data.seat] = [...hand, ...match.pile.slice(0, due)];
      match.pile = match.pile.slice(due);
      if (data.reason === "turn") match.unfit = false;
      // A last card that waits for its answer leaves time for a ruling on its author.
      if (data.reason === "advice") match.advised[data.seat] = (match.advised[data.seat] ?? 0) + due;
    },
    turn_passed(match) {
      match.unfit = false;
    },
    pile_reshuffled(match, data) {
      must(match.running && match.pile.length === 0, "the draw pile was not empty");
      const count = match.discards.length - (match.unfit ? 2 : 1);
      match.pile = match.shuffle(match.discards.slice(0, count), data);
      match.discards = match.discards.slice(count);
    },
    challenge_resolved(match, data) {
      must(match.judged !== null, "there was nothing to challenge");
      const { author, hand, color } = match.judged;
      must(data.author === author, `seat ${author} laid the card`);
      const guilty = hand.some((card) => talon.colorOf(card) === color);
      must(data.guilty === guilty, `the author is ${guilty ? "guilty" : "innocent"}`);
    },
    play_called_out(match, data) {
      const top = match.discards[match.discards.length - 1];
      must(match.unfit && top === data.card, "this card cannot be called out");
      match.hands[data.seat] = [...match.mustHold(data.seat), match.discards.pop()];
      Object.assign(match, { color: data.color, unfit: false });
    },
    hands_swapped(match, data) {
      const sorted = (seats) => [...seats].sort((a, b) => a - b);
      must(same(sorted(data.givers), sorted(data.takers)), "hands go to seats that gave theirs");
      const given = data.givers.map((seat) => match.mustHold(seat));
      data.takers.forEach((seat, at) => { match.hands[seat] = given[at]; });
    },
    hands_shuffled(match, data) {
      const seats = [...match.order].sort((a, b) => a - b);
      const sorted = seats.flatMap((seat) => [...match.mustHold(seat)].sort(talon.byCode));
      const cards = match.shuffle(sorted, data);
      const left = match.order.indexOf(data.seat) + 1;
      for (const seat of seats) match.hands[seat] = [];
      cards.forEach((card, at) => {
        match.hands[match.order[(left + at) % match.order.length]].push(card);
      });
    },
    hand_returned(match, data) {
      const sorted = [...match.mustHold(data.seat)].sort(talon.byCode);
      match.pile = [...match.pile, ...match.shuffle(sorted, data)];
      match.hands[data.seat] = [];
    },
    round_ended(match, data) {
      const advised = match.advised[data.winner] ?? 0;
      must(match.mustHold(data.winner).length === advised, "the winner has cards left");
      must(data.round === match.round, `this is round ${match.round}`);
      const gains = talon.gains(match, data.winner);
      must(same(data.gains, gains), `the gains are ${gains.join(" ")}`);
      match.scores = match.scores.map((score, seat) => score + gains[seat]);
      must(same(data.scores, match.scores), `the scores are ${match.scores.join(" ")}`);
      match.endRound();
    },
    player_eliminated(match, data) {
      const out = match.left.includes(data.seat) || match.eliminated.has(data.seat);
      must(!out && data.seat in match.scores, "the seat was not in the match");
      must(match.scores[data.seat] >= (match.options.target ?? 500), "the target is not reached");
      match.eliminated.set(data.seat, data.place);
    },
    round_blocked(match, data) {
      must(data.round === match.round, `this is round ${match.round}`);
      must(match.pile.length === 0 && match.discards.length === 1, "cards could be drawn");
      match.endRound();
    },
    // A round that was committed to and not dealt is passed over; what was added to it is gone.
    round_voided(match, data) {
      const isComing = data.round === match.round + 1 && data.round === match.committed;
      must(isComing || data.round === match.round, `this is round ${match.round}`);
      if (data.reason === "restore") match.passed += 1; // where rounds are counted it is none
      if (isComing) Object.assign(match, { round: data.round, added: match.added.map(() => NOTHING) });
      match.endRound();
    },
    match_ended(match, data) {
      must(same(data.scores, match.scores), `the scores are ${match.scores.join(" ")}`);
      const places = talon.places(match);
      must(same(data.places, places), `the places are ${places.join(" ")}`);
      const winners = places.flatMap((place, seat) => (place === 1 ? [seat] : []));
      must(same(data.winners, winners), `the winners are ${winners.join(" ")}`);
      end(match, "finished");
    },
    match_abandoned: (match) => end(match, "abandoned"),
    match_voided: (match) => end(match, "voided"),
    host_changed() {},
    uno_called() {},
    uno_caught() {},
    penalty_accepted() {},
    clock_ran_out() {},
    advice_penalized() {},
  };

  function end(match, status) {
    const sealed = [...match.commitments.keys()].filter((round) => !match.opened.has(round));
    must(sealed.length === 0, `round ${sealed[0]} is not opened`);
    Object.assign(match, { status, running: false });
  }

  const ENDS = ["match_ended", "match_abandoned", "match_voided"];

  // Goes through the events of a record; throws a Fault. Stops where a seed is not revealed.
  function play(record, data, each = () => {}) {
    const revealed = data.filter(
      (one) => one.type === "seed_revealed" && isBytes(one.seed, 32, 2000),
    );
    const secrets = new Map(revealed.map((one) => [one.round, unhex(one.seed)]));
    const match = new Match(record.match, secrets);
    const isOver = data.some((one) => ENDS.includes(one.type));
    for (const [at, event] of record.events.entries()) {
      try {
        mustBeOneCause(record.events, at);
        match.happen(event, data[at]);
      } catch (error) {
        if (error instanceof Sealed && !isOver) return { match, sealedFrom: event.version };
        if (error instanceof Sealed) {
          throw new Fault("seeds", "the match is over, and this round is sealed", where(event));
        }
        const isNonsense = error instanceof TypeError || error instanceof RangeError;
        if (!(error instanceof Wrong || isNonsense)) throw error;
        throw new Fault("play", error.message, where(event));
      }
      each(event, match);
    }
    return { match, sealedFrom: null };
  }

  function mustBeOneCause(events, at) {
    const { command_id: id, actor, occurred_at: when } = events[at];
    must(at > 0 || id !== null, "the first event names its command");
    const before = events[at - 1];
    must(
      id !== null || (actor === before.actor && when === before.occurred_at),
      "it has another author or time than the command that led to it",
    );
  }

  Object.assign(talon, { play });
})((globalThis.TalonVerifier ??= {}));
