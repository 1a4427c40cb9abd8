// The scenario that every consumer runs with the package: read two pages, and recognize an error.

/** Runs the scenario with an entry point of the package; returns what it read. */
export async function runScenario({ AddressClient, isAddressQueryError }, baseUrl) {
  const client = new AddressClient({ baseUrl });
  const pages = [];
  for await (const page of client.tokenTransfers().pages()) {
    pages.push(page.items.map(({ transaction_hash, log_index }) => `${transaction_hash} ${log_index}`));
    if (pages.length === 2) break;
  }
  const error = await client.addressLogs({ address_hash: "0x12" }).catch((error) => error);
  return { pages, error: isAddressQueryError(error) ? error.code : String(error) };
}

/** Runs the scenario; returns `{ failed: message }` if it throws. Errors cannot be sent from every runtime, strings can. */
export function tryScenario(entry, baseUrl) {
  return runScenario(entry, baseUrl).catch((error) => ({ failed: `${error.code}: ${error.message}` }));
}
