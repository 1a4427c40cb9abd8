// The memory that a history needs does not grow with the number of its events.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { execPath } from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const SCRIPT = fileURLToPath(new URL("history-memory-process.mjs", import.meta.url));
/** Less than 23 bytes for each further event. */
const MAX_HEAP_GROWTH = 600_000;
/** Responses of up to 10,000 rows, and their decoded rows, two for each of three ranges. A short history fills none of them. */
const MAX_TOTAL_GROWTH = 40_000_000;

/** Reads a history in a separate process. Returns the largest heap, and the largest memory in use. */
async function measureMemory(order, count) {
  const { stdout } = await promisify(execFile)(execPath, ["--expose-gc", SCRIPT, order, count], { timeout: 180_000 });
  return stdout.split(" ").map(Number);
}

for (const order of ["desc", "asc"]) {
  test(`ten times as many events need no more memory, order ${order}`, async (context) => {
    const [[heap, total], [longHeap, longTotal]] = await Promise.all([measureMemory(order, 3_000), measureMemory(order, 30_000)]);
    context.diagnostic(`heap ${heap} and ${longHeap}, total ${total} and ${longTotal} bytes`);
    assert.ok(longHeap - heap < MAX_HEAP_GROWTH, `the heap grew from ${heap} to ${longHeap} bytes`);
    assert.ok(longTotal - total < MAX_TOTAL_GROWTH, `the memory grew from ${total} to ${longTotal} bytes`);
  });
}
