// The outcomes of a page's requests, as its browser reports them in the network panel.

/** Watches the requests of a page to URLs that begin with `prefix`. */
export async function watchRequests(page, prefix) {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  const pending = new Map();
  const failed = [];
  let finished = 0;
  session.on("Network.requestWillBeSent", ({ requestId, request, type }) => {
    if (request.url.startsWith(prefix) && type !== "Preflight") pending.set(requestId, request.url);
  });
  session.on("Network.loadingFinished", ({ requestId }) => {
    if (pending.delete(requestId)) finished += 1;
  });
  session.on("Network.loadingFailed", ({ requestId, errorText }) => {
    if (!pending.has(requestId)) return;
    failed.push(`${errorText} ${pending.get(requestId)}`);
    pending.delete(requestId);
  });
  return {
    /** Waits for the requests in flight; returns how many were `finished`, and which ones `failed`. */
    async getOutcomes() {
      while (pending.size > 0) await new Promise((resolve) => setTimeout(resolve, 20));
      return { finished, failed };
    },
  };
}
