// The options of the templates for programs, and the activities that they write.
import type { Activity, ActivityLeg } from "./activity-types.js";
import type { TokenAsset } from "./event.js";
import type { FiatValue } from "./value-types.js";

/** A leg of an activity, with its value if `withValues` has added it. */
export interface TemplateLeg extends ActivityLeg {
  fiat?: FiatValue | null | undefined;
}

/** An activity, with or without values. */
export interface TemplateActivity
  extends Pick<Activity, "key" | "kind" | "timestamp" | "transaction_hash" | "fee" | "token_fee" | "method" | "account"> {
  sent: readonly TemplateLeg[];
  received: readonly TemplateLeg[];
  fee_fiat?: FiatValue | null | undefined;
}

/** Options of the templates. */
export interface TemplateOptions {
  /** The symbol of the native coin, by which the program knows it: `"ETH"`. */
  coin: string;
  /**
   * Returns the name by which the program knows a token. Null: the default.
   *
   * @remarks
   * Anyone can give a token the symbol of another one, and programs then value it as that one. Name the tokens that you know here, and
   * leave scam tokens out with `exclude` of `activities`.
   * @defaultValue Its symbol. Its contract instead, if the symbol is the coin's or has other characters than letters without accents,
   * digits and `$_.+-`. An NFT has its id after it.
   */
  currencyOf?: ((token: TokenAsset, activity: TemplateActivity) => string | null | undefined) | undefined;
}
