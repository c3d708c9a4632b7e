import { sql } from "drizzle-orm";

import { paceAt, type ActivityDeps } from "../../src/activities/deps.ts";
import { readSequence } from "../../src/domain/sequences/definition.ts";
import { readTriggerDefinition } from "../../src/domain/triggers/trigger.ts";
import { rows, type Ledger } from "../../src/ledger/ground/connection.ts";
import { putSequence } from "../../src/ledger/sequences/sequences.ts";
import { putTrigger, type Trigger } from "../../src/ledger/triggers/triggers.ts";
import type { Platform } from "../../src/platform/index.ts";
import { noFollowUpPorts } from "./ports.ts";

/* What the tests of triggers and hooks have in common. */

let names = 0;

/** A name that no other test of this file uses. */
export function freshName(prefix: string): string {
  names += 1;
  return `${prefix}-${process.pid}-${names}`;
}

/** A sequence that calls once a person has waited for two days: nothing of it happens by itself here. */
export async function sequenceOf(ledger: Ledger, changes: Record<string, unknown> = {}): Promise<string> {
  const name = freshName("sequence");
  const reading = readSequence({
    name,
    agent_id: "11111111-1111-4111-8111-111111111111",
    from_numbers: ["+12025550100"],
    window: "always",
    concurrency: 1,
    steps: [
      { id: "rest", wait: { for: "2d" } },
      { id: "call", call: {}, on: { unknown: "end", otherwise: "end" } },
      { id: "end", exit: { outcome: "done" } },
    ],
    ...changes,
  });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  const { definition } = reading;
  await ledger.transaction((tx) => putSequence(tx, { definition, actor: "test", nowMs: Date.now() }));
  return name;
}

/** A trigger with a bearer token, which enrolls whoever's phone is in the payload. */
export async function triggerOf(
  ledger: Ledger,
  sequence: string,
  changes: Record<string, unknown> = {},
): Promise<Trigger> {
  const reading = readTriggerDefinition({
    name: freshName("trigger"),
    auth: { scheme: "bearer", secret: "crm" },
    enroll: { sequence, phone: "item.phone" },
    ...changes,
  });
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  const { definition } = reading;
  const put = await ledger.transaction((tx) =>
    putTrigger(tx, { definition, actor: "test", nowMs: Date.now() }),
  );
  return put.trigger;
}

export interface IntakeDeps extends ActivityDeps {
  woken: string[];
}

/** The engine's deps with a platform; what is woken up is kept. */
export function intakeDeps(ledger: Ledger, platform: Platform, now: () => number = Date.now): IntakeDeps {
  const woken: string[] = [];
  return {
    ledger,
    platform,
    ...noFollowUpPorts(),
    wake: { campaign: (id) => woken.push(`campaign ${id}`), batch: (id) => woken.push(`batch ${id}`) },
    pace: paceAt(100),
    log: { info() {}, warn() {}, error() {} },
    now,
    woken,
  };
}

export async function enrolmentsOf(
  ledger: Ledger,
  sequence: string,
): Promise<{ id: string; phone: string; state: string; source: string }[]> {
  return rows(
    ledger.db,
    sql`select e.id, e.phone, e.state, e.source from enrolments e join sequences s on s.id = e.sequence_id
        where s.name = ${sequence} order by e.phone`,
  );
}

/** Subjects of a kind that wait in the outbox. */
export async function outboxOf(ledger: Ledger, kind: string): Promise<string[]> {
  const found = await rows<{ subject: string }>(
    ledger.db,
    sql`select subject from outbox where kind = ${kind} order by id`,
  );
  return found.map((row) => row.subject);
}
