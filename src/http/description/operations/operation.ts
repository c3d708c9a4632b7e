import type { ProblemCode } from "../../wire/problem.ts";

/** What the API is about, in the order of the description. */
export const TAGS = {
  system: "The system as a whole: how it is, and stopping everything.",
  access: "Who may ask, and who did what.",
  campaigns: "Calling a list of people once.",
  money: "What calls cost, and what may be spent.",
  "follow-ups": "What is done after a call.",
  people: "What is known and was said of one person.",
  suppressions: "Who is not to be called, and when nobody is.",
  sequences: "Several calls to one person, over days.",
  attention: "What waits for people, and who is told of it.",
  triggers: "What other systems tell.",
  automations: "Workflows on the platform.",
  schedules: "Campaigns that come again by the clock.",
  declared: "Documents that say what there is to be.",
} as const;

export type Tag = keyof typeof TAGS;

export interface Operation {
  /** Camel case, a verb and what it is about. */
  id: string;
  tag: Tag;
  /** One sentence. */
  summary: string;
  /** What it may be refused with, beside what follows from the route. */
  problems: readonly ProblemCode[];
}

/** How the table of one tag says a line. */
export function of(tag: Tag): (id: string, summary: string, problems?: readonly ProblemCode[]) => Operation {
  return (id, summary, problems = []) => ({ id, tag, summary, problems });
}

/** Of routes that ask the platform before they answer. */
export const OF_PLATFORM = ["platform_key_refused", "platform_failed", "platform_unreachable"] as const;
/** Of routes that read a campaign's spec and hold it against the platform. */
export const OF_SPEC = ["invalid_spec", "caller_refused", ...OF_PLATFORM] as const;
/** Of lists that are taken row by row. */
export const OF_LIST = ["invalid_list", "import_differs", "digest_mismatch", "command_refused"] as const;
