// Checks whether the instance states that it has indexed the records of a source. Otherwise an empty list proves
// nothing.
import type { IndexingStatus } from "../public.js";
import type { HistoryKind } from "./event.js";

/** Returns whether the instance may lack records of a kind. `status` is null if the instance states nothing. */
export function isUnverified(kind: HistoryKind, status: IndexingStatus | null, hasRecords: boolean): boolean {
  if (status?.finished_indexing_blocks === false) return true;
  if (kind !== "internal_transaction") return false;
  const share = status?.indexed_internal_transactions_ratio ?? status?.finished_indexing;
  return share == null ? !hasRecords : Number(share) < 1;
}
