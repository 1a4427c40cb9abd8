// What every consumer does with the package: reads two pages, and recognises an error.
export async function use({ AddressClient, isAddressQueryError }, baseUrl) {
  const client = new AddressClient({ baseUrl });
  const pages = [];
  for await (const page of client.tokenTransfers().pages()) {
    pages.push(page.items.map(({ transaction_hash, log_index }) => `${transaction_hash} ${log_index}`));
    if (pages.length === 2) break;
  }
  const error = await client.addressLogs({ address_hash: "0x12" }).catch((error) => error);
  return { pages, error: isAddressQueryError(error) ? error.code : String(error) };
}

/** The same with what went wrong as text: errors do not pass through every channel. */
export function outcome(entry, baseUrl) {
  return use(entry, baseUrl).catch((error) => ({ failed: `${error.code}: ${error.message}` }));
}
