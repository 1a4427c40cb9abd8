// Lets what is more important go first.

/** Resolves in the next task: elements that are rendered in this one have sent their requests by then. */
export const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
