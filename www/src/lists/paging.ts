// The buttons of a list that is read page by page. Each page has its own URL.
import { html, type TemplateResult } from "lit";
import { parseRoute, toFirstPage, toHref } from "../route/route.js";
import type { TabContext } from "../table/context.js";

/** `next` is the resume token of the next page. Null: this is the last page. */
export function pagingButtons({ route, previous, navigate }: TabContext, next: string | null): TemplateResult {
  const [isFirst, last] = [route.page === 1, previous.at(-1)];
  const goNext = () => navigate({ ...route, page: route.page + 1, resume: next }, [...previous, toHref(route)]);
  const goBack = () => last && navigate(parseRoute(last), previous.slice(0, -1));
  return html`<nav class="paging" aria-label="Pages">
    <button type="button" ?disabled=${isFirst} @click=${() => navigate(toFirstPage(route))}>First</button>
    <button type="button" data-key="p" ?disabled=${isFirst || !last} @click=${goBack}>Previous</button>
    <button type="button" data-key="n" ?disabled=${next === null} @click=${goNext}>Next</button>
  </nav>`;
}
