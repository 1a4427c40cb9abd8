// All components in all states, on one page (`?gallery`): for people and for screenshot tests.
import { html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { PageElement } from "../components/element.js";
import type { TabContext } from "../table/context.js";
import { colors, icons, marks, type Section, typeScale } from "./foundations.js";
import { charts, pageParts } from "./page-samples.js";
import { controls, states, values } from "./samples.js";
import { table } from "./table-samples.js";
import "./component-gallery.css";

const SECTIONS: readonly Section[] = [colors, typeScale, icons, marks, controls, values, states, table, pageParts, charts];

@customElement("aq-component-gallery")
export class ComponentGallery extends PageElement {
  @property({ attribute: false }) context!: TabContext;

  protected override render(): TemplateResult {
    return html`<h1>Components</h1>
      ${SECTIONS.map(
        ({ id, title, render }) => html`<section class="card sample" id="sample-${id}" aria-labelledby="title-${id}">
          <h2 id="title-${id}">${title}</h2>
          <div class="sample-body">${render(this.context)}</div>
        </section>`,
      )}`;
  }
}
