import { z } from "zod";
import { inFlightSchema } from "./in-flight.ts";

const instant = z.iso.datetime();

export const readySchema = z.object({ ok: z.literal(true) });

/** What one pass of the sweeper found that had no end. */
export const sweepSchema = z.object({
  at: instant,
  found: z.int(),
  /** Those that have come to their end. */
  settled: z.int(),
  /** By kind: `<kind>` found, `<kind>_settled`, and `<kind>_woken` where somebody was told to look. */
  detail: z.record(z.string(), z.int()),
});

export const systemSchema = z.object({
  installation_id: z.string(),
  version: z.string(),
  ledger: z.object({
    kind: z.enum(["embedded", "postgres"]),
    migrations: z.object({ applied: z.int(), known: z.int() }),
  }),
  /** The platform that it dials through. */
  platform_url: z.string(),
  /** The rules of time zones that the server goes by: IANA's release, its day where that is known, and whether it is older than half a year. */
  zone_data: z.object({ version: z.string(), released_on: z.iso.date().nullable(), old: z.boolean() }),
  /** Set while `stop-all` is in force. */
  stopped: z.object({ at: instant, reason: z.string() }).nullable(),
  /** Set while the ledger may be older than what really happened; nothing is dialed then. */
  recovery: z.string().nullable(),
  /** What was accepted and is still to be handed on, by kind. */
  outbox: z.array(
    z.object({
      kind: z.string(),
      waiting: z.int(),
      /** Those that failed at least once. */
      failing: z.int(),
      /** Since when the oldest of them is to be handed on. */
      oldest: instant,
    }),
  ),
  /** How many things wait for a person, by kind (`/v1/attention`). */
  attention: z.record(z.string(), z.int()),
  /** The sweeper's last pass; null before the first. */
  last_sweep: sweepSchema.nullable(),
  now: instant,
});

export type SystemWire = z.output<typeof systemSchema>;
export type SweepWire = z.output<typeof sweepSchema>;

export const stopAllResultSchema = z.object({
  stopped: z.literal(true),
  in_flight: inFlightSchema,
  /**
   * Campaigns that something else held on to just now: their batches are not written down as stopped yet, and will be
   * as soon as they are free. Nobody of theirs is called meanwhile either, but for what `in_flight` tells.
   */
  waiting: z.array(z.object({ campaign_id: z.string(), name: z.string() })),
});

export type StopAllWire = z.output<typeof stopAllResultSchema>;

/** What `outdial doctor` says, of the installation that answers. */
export const examinationSchema = z.object({
  /** Whether nothing fails; what is warned of is no failure. */
  ok: z.boolean(),
  checks: z.array(
    z.object({
      name: z.string(),
      status: z.enum(["ok", "warn", "fail"]),
      detail: z.string(),
      /** What to do, where something is to do. */
      remedy: z.string().optional(),
    }),
  ),
});

/** Which ledger a system works on. */
export const installationSchema = z.object({ installation_id: z.string() });

/** That the process answers; nothing that it stands on is asked. */
export const upSchema = z.object({ ok: z.literal(true) });

export const goOnResultSchema = z.object({ stopped: z.literal(false), was_stopped: z.boolean() });

export type GoOnWire = z.output<typeof goOnResultSchema>;

/** A copy of an embedded ledger's files, on the machine of whoever serves it: whoever asked takes it away. */
export const ledgerCopySchema = z.object({
  folder: z.string(),
  /** The moment that it shows. */
  at: instant,
  files: z.int(),
  bytes: z.int(),
  /** For how long everything else waited. */
  held_ms: z.int(),
});

export const recoverResultSchema = z.object({
  /** Batches of this installation that the platform has. */
  looked: z.int(),
  /** Batches that the ledger had under way, and that have come to their end now. */
  settled_batches: z.int(),
  /** Batches that the ledger did not know to have been started, and numbers of theirs booked as dialed. */
  adopted_batches: z.int(),
  adopted_attempts: z.int(),
  /** Numbers of those batches that are no contacts of their campaigns: of lists that were imported since. */
  strangers: z.int(),
  /** Batches that were never begun. */
  deleted: z.int(),
  /** Batches of campaigns that the ledger does not have: stopped, and for people to look at. */
  foreign: z.array(z.string()),
  /** Schedules of which runs were passed over, since they may have been made in the part that was lost. */
  passed_over_schedules: z.int(),
  /** Tokens that let somebody in, the first 20 by name: one that was revoked in the part that was lost is among them. */
  tokens_in_force: z.object({ count: z.int(), names: z.array(z.string()) }),
});
