// What the service answers when it does not answer: statuses and their bodies.

/** Thrown anywhere while a request is answered; `body` is sent as JSON. */
export class Refusal extends Error {
  constructor(status, body, headers = {}) {
    super(`${status} ${JSON.stringify(body)}`);
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}

/** One entry per bad parameter: `[name, detail]`. */
export function invalidParameters(faults) {
  const errors = faults.map(([name, detail]) => ({ detail, source: { pointer: `/${name}` }, title: "Invalid value" }));
  return new Refusal(422, { errors });
}

/** The older form, and still that of checks made after validation. */
export const invalidParameter = () => new Refusal(422, { message: "Invalid parameter(s)" });
export const restricted = () => new Refusal(403, { message: "Restricted access" });
export const crashed = () => new Refusal(500, "Internal server error");
export const unknownAction = () => new Refusal(400, { message: "Unknown API v2 action" });

export const TOO_MANY = "Too many requests. Increase limits now at https://dev.blockscout.com";

/** The envelope of the module/action interface, which refuses most things with status 200. */
export const refusedCall = (message, status = 200) => new Refusal(status, { message, result: null, status: "0" });
export const notFound = () => refusedCall("Not found", 404);
export const crashedCall = () => refusedCall("Something went wrong.", 500);
