// Counting: what a round gives to each seat, who takes which place, in which order seats play.
(function (talon) {
  "use strict";

  const PAIRINGS = [[0, 1, 2, 3], [0, 2, 1, 3], [0, 1, 3, 2]];

  const formOf = (options) =>
    (options.scoring ?? "winner_takes") === "lowest" ? "lowest" : options.form ?? "free_for_all";

  function gains(table, winner) {
    const own = table.hands.map((hand, seat) => (seat === winner ? 0 : talon.worthOf(hand)));
    const sum = (seats) => seats.reduce((total, seat) => total + own[seat], 0);
    const everybody = own.map((_, seat) => seat);
    switch (formOf(table.options)) {
      case "lowest":
      case "elimination":
        return own;
      case "teams":
      case "rotating_partners": {
        const at = table.order.indexOf(winner);
        const side = [winner, table.order[(at + 2) % 4]];
        const points = sum(everybody.filter((seat) => !side.includes(seat)));
        return everybody.map((seat) => (side.includes(seat) ? points : 0));
      }
      default:
        return everybody.map((seat) => (seat === winner ? sum(everybody) : 0));
    }
  }

  // Places by how many are better, as isBetter(other, one) says.
  const ranked = (seats, isBetter) =>
    seats.map((one) => 1 + seats.filter((other) => isBetter(other, one)).length);

  function places(table) {
    const { scores, left, away } = table;
    const seats = scores.map((_, seat) => seat);
    const form = formOf(table.options);
    if (form === "elimination") return byElimination(table, seats);
    if (form === "teams") {
      const broken = (seat) => left.some((leaver) => leaver % 2 === seat % 2);
      return ranked(seats, (other, one) =>
        broken(other) === broken(one) ? scores[other] > scores[one] : broken(one));
    }
    if (form === "rotating_partners") {
      return seats.map((one) => (away.includes(one) ? 0
        : 1 + seats.filter((o) => !away.includes(o) && scores[o] > scores[one]).length));
    }
    const sign = form === "lowest" ? -1 : 1;
    const since = (seat) => (left.includes(seat) ? left.indexOf(seat) : left.length);
    return ranked(seats, (other, one) => {
      if (since(other) !== since(one)) return since(other) > since(one);
      return !left.includes(one) && sign * scores[other] > sign * scores[one];
    });
  }

  function byElimination({ scores, left, eliminated }, seats) {
    const staying = seats.filter((seat) => !left.includes(seat) && !eliminated.has(seat));
    const found = seats.map(() => 0);
    const taken = new Set(staying.map((_, at) => at + 1));
    for (const one of staying) {
      found[one] = 1 + staying.filter((other) => scores[other] < scores[one]).length;
    }
    for (const [seat, place] of eliminated) {
      found[seat] = place;
      let free = place;
      while (taken.has(free)) free += 1;
      taken.add(free);
    }
    const free = seats.map((seat) => seat + 1).filter((place) => !taken.has(place)).reverse();
    left.forEach((seat, at) => { found[seat] = free[at]; });
    return found;
  }

  function orderOf({ options, seats, left, eliminated, passed }, round) {
    if (formOf(options) === "rotating_partners") {
      return PAIRINGS[Math.floor((round - 1 - passed) / (options.rounds_per_pairing ?? 4)) % 3];
    }
    const all = seats.map((_, seat) => seat);
    return all.filter((seat) => !left.includes(seat) && !eliminated.has(seat));
  }

  function dealerAfter(last, order) {
    const at = order.indexOf(last);
    if (at >= 0) return order[(at + 1) % order.length];
    return order.find((seat) => seat > last) ?? order[0];
  }

  Object.assign(talon, { gains, places, orderOf, dealerAfter });
})((globalThis.TalonVerifier ??= {}));
