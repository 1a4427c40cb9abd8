// The pages that lists link to. To add a page, add a declaration.
import { blockPage } from "./block.js";
import type { SubjectPage } from "./page.js";
import { tokenPage } from "./token.js";
import { transactionPage } from "./transaction.js";

export const pages: readonly SubjectPage<unknown>[] = [transactionPage, tokenPage, blockPage];
