// Measures contenders side by side: in every round each of them has its turn, in an order that changes, so that whatever
// else the machine does meets them alike. Runs in a page and in Node.

/** Median and quartiles. */
export function spread(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share) => {
    const place = share * (sorted.length - 1);
    const below = Math.floor(place);
    return sorted[below] + (sorted[Math.ceil(place)] - sorted[below]) * (place - below);
  };
  return { median: at(0.5), low: at(0.25), high: at(0.75) };
}

/**
 * Milliseconds per run of each contender (`{ name, run }`), and the ratio to the first one within the same round. A turn
 * repeats a run until it takes about `turnMs`, after one that is not measured: who had the turn before has left the
 * processor's caches full of other things. Before the first round each has run for `warmMs`, and at least `warmRuns` times.
 * `prepare`, if there, makes what a run is given, outside of the measured time; `isAsync` runs are waited for. The turn of an
 * `isLarge` one begins with a collected heap: it would collect what others have left.
 */
export async function compare(contenders, { rounds = 25, turnMs = 5, warmMs = 200, warmRuns = 5 } = {}) {
  const repeats = [];
  for (const contender of contenders) {
    const started = performance.now();
    const runs = [];
    while (runs.length < warmRuns || performance.now() - started < warmMs) runs.push(await timed(contender, 1));
    // Of the later half: what came before was compiling.
    const { median } = spread(runs.slice(Math.floor(runs.length / 2)));
    repeats.push(Math.max(1, Math.round(turnMs / Math.max(median, 0.01))));
  }

  const times = contenders.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < contenders.length; turn++) {
      const which = (turn * (round % 2 ? 1 : contenders.length - 1) + round) % contenders.length;
      if (contenders[which].isLarge) globalThis.gc?.();
      await timed(contenders[which], 1);
      times[which].push(await timed(contenders[which], repeats[which]));
    }
  }
  return contenders.map(({ name, shape }, which) => {
    const ratios = times[which].map((time, round) => time / times[0][round]);
    return { name, shape, ms: spread(times[which]), ratio: spread(ratios), rounds, repeats: repeats[which] };
  });
}

async function timed({ run, isAsync, prepare }, repeats) {
  if (prepare) {
    let sum = 0;
    for (let i = 0; i < repeats; i++) {
      const given = await prepare();
      const started = performance.now();
      kept = isAsync ? await run(given) : run(given);
      sum += performance.now() - started;
    }
    return sum / repeats;
  }
  const started = performance.now();
  if (isAsync) for (let i = 0; i < repeats; i++) kept = await run();
  else for (let i = 0; i < repeats; i++) kept = run();
  return (performance.now() - started) / repeats;
}

/** The last result: an engine must not find that nobody wants it. */
export let kept;
