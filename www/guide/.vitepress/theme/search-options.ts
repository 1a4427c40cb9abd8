// How the search ranks its results. The policy of the pages forbids functions in the configuration, so the theme sets them.

/** Words that say nothing about a task. */
const STOP_WORDS = new Set(["a", "an", "the", "to", "of", "in", "on", "for", "with", "how", "do", "i"]);

export const searchOptions = {
  options: {
    processTerm: (term: string) => {
      const word = term.toLowerCase();
      return STOP_WORDS.has(word) ? null : word;
    },
  },
  searchOptions: {
    // A typing error in a short word would be another word.
    fuzzy: (term: string) => (term.length > 5 ? 0.15 : false),
    prefix: (term: string) => term.length > 2,
    boost: { title: 2, titles: 1, text: 2 },
    // Pages of tasks come first.
    boostDocument: (id: string) =>
      /\/(api-|types-|records|options|checked|changelog|reference|troubleshooting|migrate|comparison)/.test(id) ? 0.15 : 1,
  },
};
