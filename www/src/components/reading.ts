// Reads a value from the service for an element.
import { initialState, type StatusRenderer, Task, type TaskConfig, TaskStatus } from "@lit/task";
import type { ReactiveControllerHost, TemplateResult } from "lit";
import { errorBox } from "./error-box.js";
import { skeleton } from "./skeleton.js";

/**
 * A value that an element reads when its arguments change. The request is cancelled when they change again, and when the
 * element is removed from the page. An error is shown with a button that reads again.
 *
 * @example
 * ```ts
 * private readonly counters = new Reading(this, {
 *   args: () => [this.client, this.address] as const,
 *   task: ([client, address_hash], { signal }) => client.addressCounters({ address_hash }, { signal }),
 * });
 * ```
 */
export class Reading<Args extends readonly unknown[], Value> extends Task<Args, Value> {
  constructor(host: ReactiveControllerHost, config: TaskConfig<Args, Value>) {
    super(host, config);
    host.addController({ hostDisconnected: () => this.abort() });
  }

  /** An earlier value, which is shown until the value is read, and after an error. */
  fallback: Value | null | undefined;

  /** The value for the current arguments, or the fallback. Undefined while it is read and after an error, unlike `value`. */
  get current(): Value | undefined {
    return this.status === TaskStatus.COMPLETE ? this.value : (this.fallback ?? undefined);
  }

  override render<T extends StatusRenderer<Value>>(renderer: T) {
    const { fallback, status } = this;
    if (fallback == null || status === TaskStatus.COMPLETE) return super.render(renderer);
    return renderer.complete?.(fallback) as never;
  }

  /** Renders the value, a placeholder while it is read, or the error. */
  show(render: (value: Value) => unknown, placeholder: TemplateResult = skeleton(), showError = errorBox): unknown {
    return this.render({
      initial: () => placeholder,
      pending: () => placeholder,
      complete: render,
      error: (error) => showError(error, () => void this.run()),
    });
  }
}

export { initialState, TaskStatus };
