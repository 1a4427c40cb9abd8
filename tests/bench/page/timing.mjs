// Measures contenders against each other. Every round measures all of them, in changing order, so that they are affected alike
// by whatever else the machine does. Runs in a page and in Node.

/** The median and the quartiles of some values. */
export function summarize(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const getQuantile = (share) => {
    const position = share * (sorted.length - 1);
    const below = Math.floor(position);
    return sorted[below] + (sorted[Math.ceil(position)] - sorted[below]) * (position - below);
  };
  return { median: getQuantile(0.5), low: getQuantile(0.25), high: getQuantile(0.75) };
}

/**
 * Measures milliseconds per run of each contender, and the ratio to the first contender in the same round.
 *
 * A contender is `{ name, run }` and optionally:
 *
 * - `prepare`: creates the argument of `run`, outside the measured time,
 * - `isAsync`: the result of `run` is awaited,
 * - `isLarge`: garbage is collected first, because the run would trigger a collection of the others' garbage.
 *
 * A batch repeats a run for about `batchMs`. The run before it is not measured: it fills the caches of the processor. Before
 * the first round, each contender runs for `warmupMs` and at least `warmupRuns` times.
 */
export async function compare(contenders, { rounds = 25, batchMs = 5, warmupMs = 200, warmupRuns = 5 } = {}) {
  const batchSizes = [];
  for (const contender of contenders) {
    const start = performance.now();
    const times = [];
    while (times.length < warmupRuns || performance.now() - start < warmupMs) times.push(await measureBatch(contender, 1));
    // Only the second half: the engine compiles during the first.
    const { median } = summarize(times.slice(Math.floor(times.length / 2)));
    batchSizes.push(Math.max(1, Math.round(batchMs / Math.max(median, 0.01))));
  }

  const times = contenders.map(() => []);
  for (let round = 0; round < rounds; round++) {
    for (let i = 0; i < contenders.length; i++) {
      const index = (i * (round % 2 ? 1 : contenders.length - 1) + round) % contenders.length;
      if (contenders[index].isLarge) globalThis.gc?.();
      await measureBatch(contenders[index], 1);
      times[index].push(await measureBatch(contenders[index], batchSizes[index]));
    }
  }
  return contenders.map(({ name, result }, index) => {
    const ratios = times[index].map((time, round) => time / times[0][round]);
    return { name, result, ms: summarize(times[index]), ratio: summarize(ratios), rounds, batchSize: batchSizes[index] };
  });
}

/** Measures the mean time of `count` runs. */
async function measureBatch({ run, isAsync, prepare }, count) {
  if (prepare) {
    let sum = 0;
    for (let i = 0; i < count; i++) {
      const argument = await prepare();
      const start = performance.now();
      lastResult = isAsync ? await run(argument) : run(argument);
      sum += performance.now() - start;
    }
    return sum / count;
  }
  const start = performance.now();
  if (isAsync) for (let i = 0; i < count; i++) lastResult = await run();
  else for (let i = 0; i < count; i++) lastResult = run();
  return (performance.now() - start) / count;
}

/** Exported so that the engine cannot optimize unused results away. */
export let lastResult;
