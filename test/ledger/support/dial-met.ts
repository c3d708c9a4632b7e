import { sql } from "drizzle-orm";

import { rows, type Db } from "../../../src/ledger/ground/connection.ts";
import type { Change, DialLife } from "./dial-life.ts";

/** By what they begin with: what becomes of people and what they wait for, what happens to campaigns, and what calls are. */
const TO_BE_MET: Readonly<Record<string, readonly string[]>> = {
  ends: words(
    "after_end called_back called_lately called_often cancelled consent_expired exited give_up max_attempts",
    "max_per_disposition no_common_window no_consent no_delay_set not_retryable number_not_allowed reached",
    "suppressed withdrawn",
  ),
  // Closed hours and lists that are too old hold for everybody in a zone, and stand in no row of anybody.
  waits: words("called_back_lately called_just_now frequency open_attempt"),
  change: words(
    "advance amend approve blackout cancel consent enroll go_on inbound leave lift park pause remove renew rest",
    "resume source suppress unpark unsay withdraw",
  ),
  call: words("answered busy callback_requested failed late no_answer opted_out unknown voicemail"),
  campaign: words("approved dialed planned resumed settled"),
  preset: words("careful@2026.1 de@2026.1 uk@2026.1 us-federal@2026.1 us-states@2026.1"),
  lines: words("shared own"),
  process: ["killed", "never killed"],
};

function words(...lines: string[]): string[] {
  return lines.flatMap((line) => line.split(" "));
}

/**
 * What lives have met: a rule that stood in nobody's way was not tried, however many dials were fair. Few lives stand for
 * many as long as they meet the same.
 */
export class Met {
  readonly #lives = new Map<string, number>();

  /** Notes what a life has met, once it is over. */
  async note(db: Db, changes: readonly Change[], lived: DialLife): Promise<void> {
    const waited = await rows<{ reason: string }>(db, sql`select distinct reason from refusals`);
    const ended = await rows<{ reason: string }>(
      db,
      sql`select distinct reason from contacts where reason is not null`,
    );
    const { campaigns, log, account, engine } = lived;
    const met = [
      ...waited.map(({ reason }) => `waits: ${reason}`),
      ...ended.map(({ reason }) => `ends: ${reason}`),
      ...changes.map(({ kind }) => `change: ${kind}`),
      ...log.map(({ disposition }) => `call: ${disposition}`),
      ...campaigns.flatMap(({ events }) => events.map(({ kind }) => `campaign: ${kind}`)),
      ...campaigns
        .flatMap(({ specs }) => specs.flatMap(({ presets }) => presets ?? []))
        .map((name) => `preset: ${name}`),
      ...(log.some(({ isLate }) => isLate) ? ["call: late"] : []),
      `lines: ${account ? "shared" : "own"}`,
      `process: ${engine.kills > 0 ? "killed" : "never killed"}`,
    ];
    for (const word of new Set(met)) this.#lives.set(word, (this.#lives.get(word) ?? 0) + 1);
  }

  /** What no two lives have met: one alone may meet another the next time that anything changes. */
  lacking(): string[] {
    return Object.entries(TO_BE_MET)
      .flatMap(([kind, all]) => all.map((word) => `${kind}: ${word}`))
      .filter((word) => (this.#lives.get(word) ?? 0) < 2);
  }
}
