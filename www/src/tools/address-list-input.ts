// The list of addresses in the URL. The browser stores a list that is too long for the URL under an id.
const MAX_LENGTH_IN_URL = 1500;
const PREFIX = "address-query-list-";

type Filters = Readonly<Record<string, string>>;

/** The list as the user entered it, or "". */
export function readAddressList(filters: Filters): string {
  if (!filters["list"]) return filters["addresses"] ?? "";
  try {
    return localStorage.getItem(PREFIX + filters["list"]) ?? "";
  } catch {
    return "";
  }
}

/** Returns the filters for a list. */
export function writeAddressList(input: string): Record<string, string> {
  if (input.length <= MAX_LENGTH_IN_URL) return { addresses: input };
  const list = crypto.getRandomValues(new Uint32Array(2)).join("-");
  try {
    localStorage.setItem(PREFIX + list, input);
    return { list };
  } catch {
    return { addresses: input };
  }
}
