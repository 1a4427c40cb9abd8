// The ABI of a contract as signatures, for reading only.
import { html, type TemplateResult } from "lit";
import { formatCount } from "../format/number.js";
import { cleanText } from "../format/text.js";

type Entry = Readonly<Record<string, unknown>>;

const MAX_ENTRIES = 500;
const MAX_SIGNATURE = 600;
/** The maximum nesting of tuples. */
const MAX_DEPTH = 4;

const isEntry = (value: unknown): value is Entry => typeof value === "object" && value !== null;
export const toText = (value: unknown): string => (typeof value === "string" ? value : "");

/** The type of a parameter, with the members of a tuple. */
function typeOf(parameter: Entry, depth: number): string {
  const type = toText(parameter["type"]) || "unknown";
  const { components } = parameter;
  if (!type.startsWith("tuple") || !Array.isArray(components) || depth >= MAX_DEPTH) return type;
  return `(${parameters(components, depth + 1)})${type.slice("tuple".length)}`;
}

const parameters = (list: unknown, depth = 0): string =>
  Array.isArray(list)
    ? list
        .filter(isEntry)
        .map((item) =>
          [typeOf(item, depth), item["indexed"] === true ? "indexed" : "", toText(item["name"])].filter(Boolean).join(" "),
        )
        .join(", ")
    : "";

/** The signature of a function, event or error, such as `balanceOf(address account) → uint256`. */
export function toSignature(entry: Entry): string {
  const outputs = parameters(entry["outputs"]);
  return `${toText(entry["name"]) || toText(entry["type"])}(${parameters(entry["inputs"])})${outputs && ` → ${outputs}`}`;
}

const isView = ({ stateMutability, constant }: Entry): boolean =>
  stateMutability === "view" || stateMutability === "pure" || constant === true;

const GROUPS: readonly (readonly [title: string, isOf: (entry: Entry) => boolean])[] = [
  ["Read functions", (entry) => entry["type"] === "function" && isView(entry)],
  ["Write functions", (entry) => entry["type"] === "function" && !isView(entry)],
  ["Events", (entry) => entry["type"] === "event"],
  ["Errors", (entry) => entry["type"] === "error"],
  ["Others", (entry) => !["function", "event", "error"].includes(toText(entry["type"]))],
];

export function abiGroups(abi: readonly unknown[]): readonly TemplateResult[] {
  const entries = abi.filter(isEntry);
  return GROUPS.map(([title, isOf]) => ({ title, found: entries.filter(isOf) }))
    .filter(({ found }) => found.length > 0)
    .map(
      ({ title, found }) => html`<section class="card" aria-label=${title}>
        <h2>${title} <span class="none">${found.length > MAX_ENTRIES ? `the first ${MAX_ENTRIES} of ${formatCount(found.length, "entry")}` : found.length}</span></h2>
        <ul class="signatures">${found
          .slice(0, MAX_ENTRIES)
          .map(
            (entry) =>
              html`<li><bdi class="mono">${cleanText(toSignature(entry), MAX_SIGNATURE)}</bdi>${entry["stateMutability"] === "payable" ? html` <span class="badge warn">payable</span>` : ""}</li>`,
          )}</ul></section>`,
    );
}
