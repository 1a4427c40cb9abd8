// Formats values and errors as text.
import { isAddressQueryError } from "address-query";

/** Longer text is cut. */
const MAX_LENGTH = 8_000;
/** Longer lists are cut. */
const MAX_ITEMS = 3;

export function formatValue(value: unknown): string {
  if (value instanceof Error) return formatError(value);
  const text = typeof value === "string" ? value : formatObject(value);
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}\n… and ${text.length - MAX_LENGTH} more characters` : text;
}

export function formatError(error: unknown): string {
  if (isAddressQueryError(error)) return `${error.name} ${error.code}: ${error.message}`;
  return String(error);
}

function formatObject(value: unknown): string {
  if (Array.isArray(value) && value.length > MAX_ITEMS)
    return `${value.length} items, of which the first ${MAX_ITEMS}:\n${formatObject(value.slice(0, MAX_ITEMS))}`;
  const text = JSON.stringify(value, (_key, member: unknown) => (typeof member === "bigint" ? `${member}n` : member), 2);
  return text ?? String(value);
}
