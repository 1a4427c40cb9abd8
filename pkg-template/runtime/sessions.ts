// The session of each client and of its groups of methods. A private member could not report that a method has lost its object.
import { createParameterError } from "./errors.js";
import type { Session } from "./session.js";

const sessions = /* @__PURE__ */ new WeakMap<object, Session>();

export function setSession(methods: object, session: Session): void {
  sessions.set(methods, session);
}

/** Returns the session of the `this` of a method. Throws for a method without its object, and for a `Proxy` of it. */
export function getSession(methods: object): Session {
  const session = sessions.get(methods);
  if (session) return session;
  throw createParameterError("this", "a method must be called on its client: client.method(), or client.method.bind(client)");
}
