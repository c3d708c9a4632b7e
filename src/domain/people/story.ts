import type { DialCheck } from "./dial-facts.ts";

/*
 * What is known of one person: entries in the order of their moments, over all campaigns, sequences and whatever else
 * there is (I7). Each says what happened in one sentence, for people, and in facts, for programs.
 */

/** What entries are about, each with what it means. */
export const STORY_KINDS = {
  listed: "a list or a placed call made the number a contact of a campaign",
  rejected: "a row of a list in which the number stands made no contact",
  called: "a call that was permitted: it was dialed, or counts as dialed",
  planned: "a call that is planned, and was not permitted so far",
  not_dialed: "a planned call that was proven not to have been dialed",
  refused: "the contact was due, and a rule kept it from being dialed",
  held: "a campaign, or its contacts of these zones, was not dialed for a stretch of time",
  through: "the contact is done, or excluded",
  withdrawn: "the person was taken out of a campaign while it went on",
  amended: "the policy of a campaign that has the contact changed",
  commanded:
    "a campaign that has the contact was started, paused, resumed or told to end, by a person or by itself",
  enrolled: "the person began a sequence",
  journey: "what happened on the way through a sequence",
  followed_up: "what was selected after a call, by which rules",
  acted: "something that was done outside after a call, or by a step",
  told: "another system told of the person through a trigger",
  called_us: "the person called one of our numbers",
  suppressed: "the number must not be dialed from then on",
  unsuppressed:
    "a suppression was taken back, the same was said for longer, or its term had been over when the next one came",
  on_list: "a list of a source of suppressions came into force on which the number stands",
  off_list: "the number was not on the next list of that source, or the source was removed",
  consented:
    "consent to be called was recorded: the entry stands where it came in, and says when it was given",
  consent_withdrawn: "all consent to be called that had been given until then was withdrawn",
  tagged: "a word that a follow-up gave to the person",
  untagged: "such a word was taken back",
  found_dialed: "recovery found that the number was dialed, and could book it on nobody",
} as const;

export type StoryKind = keyof typeof STORY_KINDS;

export type Fact = string | number | boolean | null | string[];

export interface StoryEntry {
  /** The same thing has the same id in every reading. */
  id: string;
  atMs: number;
  /** Of a stretch of time: when it ended; null: it is still so. Undefined: a moment. */
  untilMs?: number | null;
  kind: StoryKind;
  /** Undefined: of no brand, or of all. */
  brand: string | undefined;
  campaign?: { id: string; name: string; run: number; standing: boolean };
  sequence?: { name: string; version: number };
  /** The version of the campaign's policy that was in force for it. */
  policyVersion?: number;
  /** The zones of the contact that it is about; none: it is about no contact. */
  zones: readonly string[];
  /** Where the contact may be, as rules of places ask for it; absent or none: that is not known beyond the zones. */
  places?: readonly string[];
  what: string;
  facts: Readonly<Record<string, Fact>>;
  /** Of a call that was permitted: what was asked then, and what the ledger shows of it. */
  checks?: readonly DialCheck[];
}
