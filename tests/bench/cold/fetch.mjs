// Cold start with plain fetch: the minimum that reads a first record.
export async function readFirst(baseUrl, address_hash) {
  const response = await fetch(`${baseUrl}/api/v2/addresses/${address_hash}/token-transfers`);
  return (await response.json()).items[0];
}
