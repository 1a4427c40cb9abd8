// What a request to the gateway costs.

const DEFAULT_CREDITS = 20;

/** Credits by path, where they differ from the default. */
const CREDITS: Readonly<Record<string, number>> = {
  "/api/v2/search/quick": 25,
  "/api/v2/tokens": 30,
  "/api/v2/tokens/{address_hash}/transfers": 30,
  "/api/v2/token-transfers": 30,
  "/api/v2/addresses/{address_hash}/token-transfers": 30,
  "/api/v2/addresses/{address_hash}/logs": 30,
  "/api/v2/transactions/{transaction_hash}/logs": 30,
  "/api/v2/transactions/{transaction_hash}/token-transfers": 30,
  "/api/v2/transactions/{transaction_hash}/state-changes": 30,
  "/api/v2/internal-transactions": 40,
  "/api/v2/addresses/{address_hash}/internal-transactions": 40,
  "/api/v2/transactions/{transaction_hash}/internal-transactions": 40,
  "/api/v2/addresses/{address_hash}/coin-balance-history": 50,
  "/api/v2/transactions/{transaction_hash}/summary": 50,
  "/api/v2/transactions/{transaction_hash}/raw-trace": 50,
  "/api/v2/advanced-filters": 50,
};

export const ENDPOINT_PRICING = { default: DEFAULT_CREDITS, ...CREDITS };

const RULES = Object.entries(CREDITS).map(
  ([path, credits]) => [new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`), credits] as const,
);

/** Returns the credits of a request. `path` begins with `/api`. */
export function getCredits(path: string): number {
  const withoutSlash = path.replace(/\/+$/, "");
  return RULES.find(([pattern]) => pattern.test(withoutSlash))?.[1] ?? DEFAULT_CREDITS;
}
