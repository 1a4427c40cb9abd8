// The position of a source of events. A token takes long to encode, so it is encoded only when it is read.

/** A source of events or activities. Calls of this entry encode the tokens of their positions. */
interface Source {
  readonly resumeToken?: string | null;
  readonly position?: unknown;
  encodePosition?(position: unknown): string | null;
}

/** Returns the position after the last delivered event, or the token of a source that does not encode positions. */
export function getPosition(source: Source): unknown {
  return source.encodePosition ? source.position : source.resumeToken;
}

/** Returns the token of a position that `getPosition` returned. */
export function encodePosition(source: Source, position: unknown): string | null {
  return source.encodePosition ? source.encodePosition(position) : ((position as string | undefined) ?? null);
}
