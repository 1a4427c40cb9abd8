// The same, checked with zod.
import { zodRows } from "../schemas/zod.mjs";
import records from "bench:records";

export async function first(baseUrl, address_hash) {
  const response = await fetch(`${baseUrl}/api/v2/addresses/${address_hash}/token-transfers`);
  return zodRows(records, "TokenTransfer")((await response.json()).items)[0];
}
