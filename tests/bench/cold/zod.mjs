// Cold start with fetch and validation by zod.
import { createZodValidator } from "../schemas/zod.mjs";
import records from "bench:records";

export async function readFirst(baseUrl, address_hash) {
  const response = await fetch(`${baseUrl}/api/v2/addresses/${address_hash}/token-transfers`);
  return createZodValidator(records, "TokenTransfer")((await response.json()).items)[0];
}
