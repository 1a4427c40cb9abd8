// Exact decimal numbers, in the notation of the service: small and large ones have an exponent.

/** The number `mantissa` × 10^`exponent`. */
interface Decimal {
  readonly mantissa: bigint;
  readonly exponent: number;
}

/** Numbers with this many decimal places can be compared exactly. */
const COMPARED_PLACES = 60;
/** The service writes smaller numbers with an exponent. */
const SMALLEST_PLAIN_EXPONENT = -6;

function parseDecimal(string: string): Decimal {
  const [, integer = "0", fraction = "", exponent = "0"] = /^(\d+)(?:\.(\d+))?(?:E([+-]\d+))?$/.exec(string) ?? [];
  return { mantissa: BigInt(integer + fraction), exponent: Number(exponent) - fraction.length };
}

function formatDecimal({ mantissa, exponent }: Decimal): string {
  let digits = String(mantissa);
  while (exponent < 0 && digits.length > 1 && digits.endsWith("0")) {
    digits = digits.slice(0, -1);
    exponent += 1;
  }
  const leadingExponent = exponent + digits.length - 1;
  if (exponent > 0 || leadingExponent < SMALLEST_PLAIN_EXPONENT) {
    const fraction = digits.length > 1 ? `.${digits.slice(1)}` : "";
    return `${digits.charAt(0)}${fraction}E${leadingExponent < 0 ? "" : "+"}${leadingExponent}`;
  }
  if (exponent === 0) return digits;
  const padded = digits.padStart(1 - exponent, "0");
  return `${padded.slice(0, exponent)}.${padded.slice(exponent)}`;
}

/** Multiplies an amount in base units by the price of one token. */
export function computeFiatValue(amount: bigint, decimals: number, price: string): string {
  const { mantissa, exponent } = parseDecimal(price);
  return formatDecimal({ mantissa: amount * mantissa, exponent: exponent - decimals });
}

/** Converts a decimal number into an integer that compares like it. */
export function rankDecimal(string: string): bigint {
  const { mantissa, exponent } = parseDecimal(string);
  const shift = COMPARED_PLACES + exponent;
  return shift >= 0 ? mantissa * 10n ** BigInt(shift) : mantissa / 10n ** BigInt(-shift);
}
