// `approvals`: who may spend the tokens of an address.
import {
  checkAddress,
  checkCallOptions,
  checkClient,
  checkNames,
  createFreshOptions,
  createParameterError,
  decodeToken,
  digestRequest,
  encodeToken,
  getNewestBlock,
} from "../entry-support.js";
import { isAddressQueryError } from "../public.js";
import { updateAllowances } from "./allowances.js";
import { createApprovals, isStanding } from "./approval.js";
import { createPosition, ApprovalReader, isPosition } from "./approval-reader.js";
import { readDetails } from "./lookups.js";
import type { Approvals, ApprovalsClient, ApprovalsParams, ApprovalsProgress } from "./public-types.js";

/** The address of Permit2 on most chains. */
const PERMIT2 = "0x000000000022D473030F116dDEE9F6B43aC78BA3";
/** The operation of the resume tokens. */
const OPERATION = "approvals";
const NAMES = ["address_hash", "current", "details", "permit2", "resume", "onProgress", "signal"];

/**
 * Lists the approvals of an address that are still in force: of ERC-20, ERC-721 and ERC-1155 tokens, and in Permit2.
 *
 * @remarks
 * The approvals are derived from all events on the chain that name the owner, read with `logs.getLogs`. Events show the past: with
 * `current`, the remaining allowances are read from the chain. Without it, an allowance may have been spent, and an NFT may have
 * another owner.
 *
 * Anyone can emit an event that names an owner. An approval of a contract without a price, or unknown to the service, may be such a
 * forgery. It gives no access to other tokens.
 *
 * A failure loses no progress: pass the `resumeToken` of the error as `resume`. It continues with the remaining events and
 * allowances. Only details are looked up again.
 *
 * @example
 * ```ts
 * import { approvals } from "address-query/approvals";
 *
 * const { items, complete } = await approvals(client, { address_hash, current: true });
 * for (const { token, spender, spender_hash, isUnlimited, valueAtRisk } of items) {
 *   console.log(token?.symbol, spender?.name ?? spender_hash, isUnlimited, valueAtRisk);
 * }
 * ```
 * @throws {AddressQueryError} `invalid_parameter` for a parameter that is unknown or invalid, and every failure of a request.
 */
export async function approvals(client: ApprovalsClient, params: ApprovalsParams): Promise<Approvals> {
  checkClient(client);
  checkNames("parameter", params, NAMES);
  const { address_hash, current = false, details = true, resume, onProgress, signal } = params ?? {};
  checkAddress("address_hash", address_hash);
  const permit2 = params.permit2 ?? PERMIT2;
  checkAddress("permit2", permit2);
  for (const [name, value] of Object.entries({ current, details })) {
    if (typeof value !== "boolean") throw createParameterError(name, "must be true or false");
  }
  checkCallOptions({ signal, onProgress });
  const token = resume == null ? null : decodeToken(OPERATION, "resume", resume, isPosition);
  const [address, emitter] = [address_hash, permit2].map((hash) => hash.toLowerCase()) as [string, string];
  const request = await digestRequest(client, [address, emitter].join(";"), token);
  const options = createFreshOptions(signal);
  const position = token?.position ?? createPosition(await getNewestBlock(client, options));
  const reader = new ApprovalReader(client, address, emitter, position);
  const report = (stage: ApprovalsProgress["stage"]) => (fraction: number) => {
    const { events, grants } = reader.position;
    onProgress?.({ stage, fraction, events, approvals: grants.length });
  };
  try {
    await reader.read(options, report("events"));
    const isCalled = current && (await updateAllowances(client, address, permit2, reader, options, report("allowances")));
    const { grants, block, events, incompleteBlocks, omitted } = reader.position;
    const now = Date.now() / 1000;
    const standing = grants.filter((grant) => isStanding(grant, now));
    const found = await readDetails(client, address, details ? standing : [], options, report("details"));
    return {
      items: createApprovals(standing, found),
      block,
      events,
      allowances: isCalled ? "chain" : current ? "unavailable" : "event",
      complete: incompleteBlocks.length === 0 && omitted.count === 0,
      incompleteBlocks,
      omitted,
    };
  } catch (error) {
    // The error is a copy for this call. It may have a token, but for a single range.
    if (isAddressQueryError(error)) Object.assign(error, { resumeToken: encodeToken(OPERATION, request, reader.position) });
    throw error;
  }
}
