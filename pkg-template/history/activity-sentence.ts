// The sentence of an activity, in parts.
import type { ActivityFacts } from "./activity-facts.js";
import type { SentencePart } from "./activity-types.js";

/** Fills the places of a sentence. A place without a value is left out. */
export function createSentence(sentence: string, { sent, received, method, parties }: ActivityFacts): SentencePart[] {
  const legs: Record<string, typeof sent> = { sent, received };
  const places: Record<string, typeof parties.sender> = parties;
  // Text and places alternate.
  return sentence.split(/[{}]/).flatMap((text, i): SentencePart[] => {
    if (i % 2 === 0) return text === "" ? [] : [{ text }];
    if (text === "method") return [method === null ? { text: "a function" } : { method }];
    const [leg] = legs[text] ?? [];
    const [party] = places[text] ?? [];
    if (leg) return [{ leg, more: (legs[text]?.length ?? 0) - 1 }];
    return party ? [{ party, more: (places[text]?.length ?? 0) - 1 }] : [];
  });
}
