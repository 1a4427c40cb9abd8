// Decodes a synthetic response while the first request waits for its response. Engines compile a function when it is first called,
// so the first response would otherwise wait until the decoder is compiled.
import type { Instance } from "./wasm-instance.js";

/** A row of the list `withdrawals`. It has the types that most records have: amounts, times, addresses and nested records. */
const ROW = `{"amount":"1","block_number":1,"index":1,"receiver":{"ens_domain_name":null,"hash":"0x${"aB".repeat(20)}","implementations":[],"is_contract":false,"is_scam":false,"is_verified":null,"metadata":null,"name":null,"private_tags":[],"proxy_type":null,"public_tags":[],"reputation":"ok","watchlist_names":[]},"timestamp":"2026-01-01T00:00:00.000000Z","validator_index":1}`;

/** The second row has the same names as the first one, so that the decoder's fast path reads it. */
const PAGE = `{"items":[${ROW},${ROW}],"next_page_params":null}`;

const warm = new WeakSet<Instance>();

/** Reads the page with another client, after the first call has sent its request. A failure has no effect. */
export function warmUp(instance: Instance): void {
  if (warm.has(instance)) return;
  warm.add(instance);
  setTimeout(() => instance.run(() => readPage(instance)).catch(() => {}), 0);
}

async function readPage(instance: Instance): Promise<void> {
  const fetch = async () => new Response(PAGE);
  const session = new instance.classes.Session({ baseUrl: "https://warm-up.invalid", fetch, maxAttempts: 1 });
  const [call, page] = session.call("withdrawals", {}, {}, false);
  try {
    await page;
  } finally {
    call.free();
    session.free();
  }
}
