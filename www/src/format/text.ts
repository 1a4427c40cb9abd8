// Formats untrusted text and hex strings for display.

const ADDRESS = /^0x[0-9a-f]{40}$/i;
const HASH = /^0x[0-9a-f]{64}$/i;

// Control characters, invisible characters and bidirectional overrides can hide or reorder text. Each is shown as a marker.
// Joiners (U+200C, U+200D) are allowed, because scripts and emoji need them.
const DECEPTIVE_CHARACTERS =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

export const isAddress = (text: string): boolean => ADDRESS.test(text);
export const isHash = (text: string): boolean => HASH.test(text);
/** Numbers of more digits are not exact in JavaScript. */
export const isBlockNumber = (text: string): boolean => /^\d{1,15}$/.test(text);

/** Whether two address hashes are the same. The service chooses the letter case. */
export const isSameAddress = (a: string | null | undefined, b: string): boolean => a?.toLowerCase() === b.toLowerCase();

/** Makes an untrusted value safe to display: one line, no hidden characters, at most `limit` characters. */
export function cleanText(value: unknown, limit = 300): string {
  const text = String(value);
  const truncated = text.length > limit ? `${[...text.slice(0, limit * 2)].slice(0, limit).join("")}…` : text;
  return truncated.replace(DECEPTIVE_CHARACTERS, (character) => {
    const codePoint = character.codePointAt(0) ?? 0;
    if (codePoint < 0x20) return String.fromCodePoint(0x2400 + codePoint);
    return `⟨U+${codePoint.toString(16).toUpperCase().padStart(4, "0")}⟩`;
  });
}

/** `0x1234…abcd`. A string that would not become shorter is returned unchanged. */
export function shortenHash(hash: string, head = 6, tail = 4): string {
  return hash.length <= head + tail + 1 ? hash : `${hash.slice(0, head)}…${hash.slice(-tail)}`;
}
