import { readPlatformProfile, type PlatformProfile } from "../../domain/campaigns/platform-profile.ts";
import type { BatchCall, BatchCallItem, Platform } from "../../platform/index.ts";

/** A qualification under way: whom it asks, how patient it is, and what it found out so far. */
export interface Study {
  readonly platform: Platform;
  /** The same platform, whose streams carry the key in the header alone. */
  readonly headerOnly: Platform;
  readonly agentId: string;
  readonly fromNumber: string;
  readonly pace: StudyPace;
  readonly found: PlatformProfile;
  /** Batches that were made, to be taken away at the end. */
  readonly made: Set<string>;
  readonly words: WordWatch;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
  /** Whether something that rings phones may be done. */
  readonly ask: (question: string) => Promise<boolean>;
}

/** What is known of words that the product does not know, and of the calls that tell about them. */
export interface WordWatch {
  /** Calls that were seen to be over; that stays so. */
  readonly overCalls: Set<string>;
  /** Words, in their normal form, of items whose call was not known to be over. */
  readonly up: Set<string>;
}

/** Everything that the platform says of a batch at one time. */
export interface View {
  readonly batch: BatchCall;
  readonly items: readonly BatchCallItem[];
}

/** How long is waited for what, in milliseconds. */
export interface StudyPace {
  /** Between two looks. */
  readonly lookMs: number;
  /** Between two looks that must agree. */
  readonly quietMs: number;
  /** For the platform to act on what it was told. */
  readonly actMs: number;
  /** For calls to end. */
  readonly callMs: number;
}

/** @param speed the sandbox's, 1 for a real platform */
export function studyPace(speed: number): StudyPace {
  return {
    // Requests cost something: what is measured is seconds, not milliseconds.
    lookMs: Math.max(50, 1_000 / speed),
    // As long as the engine leaves between such looks; a machine that is slow needs some of it at any speed.
    quietMs: Math.max(300, 15_000 / speed),
    // A batch that is not picked up within two minutes is no use for dialing.
    actMs: Math.max(5_000, 120_000 / speed),
    // Agents end a call after 10 minutes by default, and ringing comes before that.
    callMs: Math.max(10_000, (12 * 60_000) / speed),
  };
}

/** A profile in which nothing is known yet. */
export function blankProfile(baseUrl: string, version: string, madeAt: Date): PlatformProfile {
  const { origin, pathname } = new URL(baseUrl);
  const path = pathname.replace(/\/+$/, "");
  const profile = readPlatformProfile({
    outdial_platform_profile: 1,
    made_at: madeAt.toISOString(),
    outdial_version: version,
    // Without what an address may carry besides: a name and password, a query.
    base_url: `${origin}${path}`,
  });
  if (!profile) throw new Error("a blank profile is a profile");
  // What the schema puts in for what is missing is shared.
  return structuredClone(profile);
}
