// The errors of databases.
import { AddressQueryError } from "../public.js";

export type StorageReason = NonNullable<AddressQueryError["reason"]>;

const MESSAGES: Readonly<Record<StorageReason, string>> = {
  quota: "the device has no room for more data",
  unavailable: "the database is not available",
  blocked: "the database cannot be opened, because another tab or process prevents it",
  closed: "the database was closed, deleted or changed by another tab; try again",
};

export function createStorageError(reason: StorageReason, cause?: unknown): AddressQueryError {
  return AddressQueryError.create("storage", MESSAGES[reason], { reason }, cause);
}
