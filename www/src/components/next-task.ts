// Lets what is more important go first.

/** Resolves in the next task: elements that are rendered in this one have sent their requests by then. */
export const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/**
 * Resolves in the task after the next frame, which may have begun already: scroll events come before the callbacks of their
 * frame. To ask for positions costs nothing then, as the frame has computed the layout.
 */
export const afterFrame = (): Promise<void> =>
  new Promise((resolve) => {
    requestAnimationFrame(() => void nextTask().then(resolve));
  });
