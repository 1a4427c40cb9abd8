// Spans: numbers of which only the least and the greatest possible value are known.

/** The least and the greatest value, which may be infinite. */
export interface Span {
  readonly min: number;
  readonly max: number;
}

export const NOTHING: Span = { min: 0, max: 0 };
export const ONE: Span = { min: 1, max: 1 };
export const UNKNOWN: Span = { min: 0, max: Number.POSITIVE_INFINITY };

export function sum(...spans: readonly Span[]): Span {
  return { min: spans.reduce((total, { min }) => total + min, 0), max: spans.reduce((total, { max }) => total + max, 0) };
}
