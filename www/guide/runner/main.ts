// The document of the frame that runs an example. The code comes from the page that contains the frame, and from nowhere else.
import type { Example, Report } from "./messages.ts";
import { runExample } from "./run-example.ts";

const report = (message: Report) => parent.postMessage(message, location.origin);

addEventListener("message", ({ data, origin, source }: MessageEvent<Example>) => {
  if (origin !== location.origin || source !== parent || parent === window) return;
  void runExample(data, report);
});
report({ kind: "ready" });
