// Yields to the event loop.

/** Resolves in the next task. By then, elements that the current task renders have sent their requests. */
export const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/**
 * Resolves in the task after the next frame, which may have begun already: scroll events come before the callbacks of their
 * frame. Reading positions is cheap then, because the frame has computed the layout.
 */
export const afterFrame = (): Promise<void> =>
  new Promise((resolve) => {
    requestAnimationFrame(() => void nextTask().then(resolve));
  });
