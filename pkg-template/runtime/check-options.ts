// Checks options against the generated table (option-table.js), before anything is sent.
import { createParameterError } from "./errors.js";

/** The options of a client or a call, by name. */
export interface OptionTable {
  readonly [name: string]: OptionRule;
}

/** What an option accepts: one of `types`, `values` and `members`, or the limits of a number. */
interface OptionRule {
  /** What to write, for the error message. */
  readonly rule: string;
  /** The accepted results of `typeof`. */
  readonly types?: readonly string[];
  readonly values?: readonly unknown[];
  /** The members of an accepted object, each with the result of its `typeof`. */
  readonly members?: Readonly<Record<string, string>>;
  readonly from?: number;
  readonly to?: number;
  readonly integer?: boolean;
  /** Whether it is called for each event, and may throw. */
  readonly isCallback?: boolean;
}

/** Throws for the first option that is unknown or invalid. Null and undefined mean the default. */
export function checkOptions(options: object, table: OptionTable): void {
  for (const [name, value] of Object.entries(options)) {
    if (value == null) continue;
    const option = Object.hasOwn(table, name) ? table[name] : undefined;
    if (option === undefined)
      throw createParameterError(name, `unknown option; valid options are ${Object.keys(table).join(", ")}`);
    if (!isValid(option, value)) throw createParameterError(name, option.rule);
  }
}

function isValid({ types, values, members, from, to, integer }: OptionRule, value: unknown): boolean {
  if (types) return types.includes(typeof value);
  if (values) return values.includes(value);
  if (members) return Object.entries(members).every(([name, type]) => typeof (value as Record<string, unknown>)[name] === type);
  return (
    typeof value === "number" && value >= (from as number) && value <= (to as number) && (!integer || Number.isInteger(value))
  );
}
