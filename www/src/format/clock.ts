// The time that the page takes for now.

/** `sample` is the time of the newest block of the sample data, whose last day stays today. */
export const clock = { isSample: true, sample: Date.UTC(2026, 10, 1) };

export const now = (): number => (clock.isSample ? clock.sample : Date.now());
