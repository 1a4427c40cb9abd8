// A sentence for users, for each error code. Generated as user-messages.js.
import type { ErrorCode } from "./codes.js";

export declare const userMessages: Readonly<Record<ErrorCode, string>>;
