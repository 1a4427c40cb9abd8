// Copies and checks the arguments of a method when it is called.
import { createParameterError } from "./errors.js";
import type { ActionOptions, ListOptions } from "./options.js";
import type { AbortSignalLike } from "./platform.js";

/**
 * The option of a call whose responses must be newer than the call. Only entries of the package set it. The symbol is registered, because
 * a CDN may bundle each entry with its own copy of this file.
 */
export const fresh = Symbol.for("address-query.fresh");

/** The options of a call that bypasses caches. */
export interface FreshOptions {
  signal: AbortSignalLike | undefined;
  [fresh]: true;
}

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

/** The arguments of a call: copies, so that later changes of the caller's objects have no effect. */
export interface CallArguments<Options extends ActionOptions> {
  params: Record<string, unknown>;
  options: Omit<Options, "signal"> & { isFresh?: true };
  signal?: AbortSignal | undefined;
  /** The option `resume`, or null. */
  resumeToken: string | null;
  /** An `Error` whose stack contains the caller. */
  callSite: Error;
  /** The error for invalid arguments, or the exception of a getter. It is thrown when the call starts. */
  error?: unknown;
}

/** Copies the arguments of a call and checks its options. Never throws. */
export function captureArguments<Options extends ActionOptions & Pick<ListOptions, "resume"> & Partial<FreshOptions>>(
  params: object | undefined,
  options: Options | undefined,
  table: OptionTable,
): CallArguments<Options> {
  // biome-ignore lint/suspicious/useErrorMessage: only its stack is used.
  const call: CallArguments<ActionOptions> = { params: {}, options: {}, resumeToken: null, callSite: new Error() };
  try {
    const checked = copyObject(options, "options");
    checkOptions(checked, table);
    const { signal, [fresh]: isFresh, ...others } = checked;
    call.params = copyObject(params as Record<string, unknown> | undefined, "params");
    for (const [name, value] of Object.entries(call.params)) {
      if (Array.isArray(value)) call.params[name] = [...value];
    }
    call.signal = signal ?? undefined;
    call.options = isFresh ? { ...others, isFresh } : others;
    call.resumeToken = others.resume ?? null;
  } catch (error) {
    call.error = error;
  }
  return call as CallArguments<Options>;
}

/** Copies a plain object. Null and undefined become an empty object. Throws for other values, such as a `Map`. */
export function copyObject<T extends object>(object: T | null | undefined, parameter: string): Partial<T> {
  if (object == null) return {};
  if (Object.prototype.toString.call(object) !== "[object Object]") throw createParameterError(parameter, "must be an object");
  return { ...object };
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

/** Throws if the values are not an object, or a name is unknown. Suggests a longer one: `address_hash` for `address` of the account module. */
export function checkNames(noun: "parameter" | "option", values: object, valid: readonly string[]): void {
  const unknown = Object.keys(copyObject(values, noun === "option" ? "options" : "params")).find((name) => !valid.includes(name));
  if (unknown === undefined) return;
  const similar = valid.find((name) => name.startsWith(unknown));
  const suggestion = similar ? ` (did you mean ${similar}?)` : "";
  throw createParameterError(unknown, `unknown ${noun}${suggestion}; valid ${noun}s are ${valid.join(", ")}`);
}
