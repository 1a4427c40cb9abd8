// Methods that return one result: lookups and actions.
import { captureArguments, type CallArguments } from "./arguments.js";
import { ModuleCall } from "./module-call.js";
import { copyErrorForCall } from "./errors.js";
import { actionOptions } from "./option-table.js";
import type { ActionOptions } from "./options.js";
import type { Session } from "./session.js";

/** Calls a method of the WebAssembly module. Returns a promise of its result. */
export function callMethod<Result>(
  session: Session,
  name: string,
  params: object | undefined,
  options: ActionOptions | undefined,
  table = actionOptions,
): Promise<Result> {
  return callWith(session, name, captureArguments(params, options, table));
}

/** Calls a method of the WebAssembly module with arguments that were captured. */
export function callWith<Result>(session: Session, name: string, callArguments: CallArguments<ActionOptions>): Promise<Result> {
  return send(callArguments, async (callArguments) => {
    const call = new ModuleCall<Result>(session, name, callArguments);
    try {
      return await call.next();
    } finally {
      call.close();
    }
  });
}

/** Runs `request` for the arguments of a call. It copies errors, so that no two calls reject with the same object. */
export async function send<Result>(
  call: CallArguments<ActionOptions>,
  request: (call: CallArguments<ActionOptions>) => Promise<Result>,
): Promise<Result> {
  try {
    return await request(call);
  } catch (error) {
    throw copyErrorForCall(error, call.callSite);
  }
}
