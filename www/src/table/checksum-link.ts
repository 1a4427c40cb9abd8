// The link to an address in a record of the account module. It is not in cells.ts, because the first view needs no hash
// function.
import type { TemplateResult } from "lit";
import { toChecksumAddress } from "../format/checksum.js";
import { addressLink, none } from "./cells.js";
import type { CellContext } from "./context.js";

export const checksumLink = (address: string | null, context: CellContext): TemplateResult =>
  address === null ? none("Unknown address") : addressLink(toChecksumAddress(address, context.chainId), context);
