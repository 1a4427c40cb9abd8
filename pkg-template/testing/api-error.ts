// Error responses of the service: their statuses and bodies.

export type Headers = Readonly<Record<string, string>>;

/** An error response. Thrown anywhere while a request is handled; `body` is sent as JSON. */
export class ApiError extends Error {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;

  constructor(status: number, body: unknown, headers: Headers = {}) {
    super(`${status} ${JSON.stringify(body)}`);
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** The name of an invalid parameter, and what is wrong with it. */
export type InvalidParameter = readonly [name: string, detail: string];

/** An error with one entry per invalid parameter. */
export function createValidationError(invalidParameters: readonly InvalidParameter[]): ApiError {
  const errors = invalidParameters.map(([name, detail]) => ({ detail, source: { pointer: `/${name}` }, title: "Invalid value" }));
  return new ApiError(422, { errors });
}

/** The validation error of version 8. Later versions still send it from checks that run after schema validation. */
export const createInvalidParameterError = () => new ApiError(422, { message: "Invalid parameter(s)" });
export const createRestrictedAccessError = () => new ApiError(403, { message: "Restricted access" });
export const createInternalServerError = () => new ApiError(500, "Internal server error");
/** The error for a page with a record that the service cannot serve. */
export const createUnservedPageError = () => new ApiError(500, { message: "Something went wrong." });
/** The error for an object that must exist. Most paths treat an unknown address like an unused one. */
export const createMissingRecordError = () => new ApiError(404, { message: "Not found" });
export const createUnknownActionError = () => new ApiError(400, { message: "Unknown API v2 action" });

export const TOO_MANY_REQUESTS = "Too many requests. Increase limits now at https://dev.blockscout.com";

/** The body of a 429. */
export const createTooManyRequestsBody = (isAccountModule: boolean): unknown =>
  isAccountModule ? createAccountError(TOO_MANY_REQUESTS).body : { message: TOO_MANY_REQUESTS };

/** An error in the envelope of the account module, which reports most errors with status 200. */
export const createAccountError = (message: string, status = 200) => new ApiError(status, { message, result: null, status: "0" });
export const createNotFoundError = () => createAccountError("Not found", 404);
export const createAccountCrashError = () => createAccountError("Something went wrong.", 500);
