// Run by process.test.mjs: a trap, while another call has yielded to the event loop in the middle of a large response.
import { createDeferred, page } from "./support.mjs";
import { createTrappingClient } from "./trapping-client.mjs";

const body = new TextEncoder().encode(page([...Array(40_000).keys()]));
const hasStarted = createDeferred();
let offset = 0;
const large = new ReadableStream({
  pull(controller) {
    if (offset > 1 << 19) setTimeout(hasStarted.resolve);
    controller.enqueue(body.subarray(offset, offset + (1 << 16)));
    offset += 1 << 16;
    if (offset >= body.length) controller.close();
  },
});
const responses = [new Response(large), hasStarted.promise.then(() => new Response(page([1])))];
const client = createTrappingClient([1], async () => responses.shift(), { timeoutMs: 600_000, deadlineMs: 600_000 });
const outcomes = await Promise.allSettled(
  ["1", "2"].map((digit) => client.addressWithdrawals({ address_hash: `0x${digit.repeat(40)}` }).toArray({ limit: 50_000 })),
);
console.log(
  outcomes.map(({ reason }) => reason?.code).join(" "),
  offset < body.length ? "within the response" : "after the response",
);
