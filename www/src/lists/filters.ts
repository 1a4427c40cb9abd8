// The filters of lists: declared once per list, chosen in the menus of chips, kept in the URL.

export interface Filter {
  /** Name of the parameter of the client's method, and of the URL. */
  name: string;
  label: string;
  /** Values to choose from, with their labels. Without them, the user enters text. */
  options?: readonly (readonly [value: string, label: string])[];
  /** Whether several values can be chosen. */
  multiple?: boolean;
  /** What to enter, for text. */
  hint?: string;
  /** Whether the input is what `hint` says. Other input is not applied. */
  isValid?: (value: string) => boolean;
  /** Converts the value to parameters. Default: the value under the filter's name; an array with `multiple`. */
  toParameters?: (value: string) => Record<string, unknown>;
}

export const TOKEN_TYPES = ["ERC-20", "ERC-721", "ERC-1155", "ERC-404", "ERC-7984"] as const;
export const NFT_TYPES = ["ERC-721", "ERC-1155", "ERC-404"] as const;

export const tokenTypeFilter = (types: readonly string[]): Filter => ({
  name: "type",
  label: "Token type",
  multiple: true,
  options: types.map((type) => [type, type] as const),
});

export const directionFilter: Filter = {
  name: "filter",
  label: "Direction",
  options: [
    ["", "All"],
    ["from", "Outgoing"],
    ["to", "Incoming"],
  ],
};

export type FilterValues = Readonly<Record<string, string>>;

/** Converts the values of the URL to parameters of the client's method, which checks them. */
export function toParameters(filters: readonly Filter[], values: FilterValues): Record<string, unknown> {
  const parameters: Record<string, unknown> = {};
  for (const { name, multiple, toParameters } of filters) {
    const value = values[name];
    if (value) Object.assign(parameters, toParameters?.(value) ?? { [name]: multiple ? value.split(",") : value });
  }
  return parameters;
}
