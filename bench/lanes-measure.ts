import { sql } from "drizzle-orm";
import { monitorEventLoopDelay } from "node:perf_hooks";

import { zonesOfContact } from "../src/contacts/contact-zones.ts";
import { normalisePhone } from "../src/contacts/phone.ts";
import { statesOfAreas } from "../src/contacts/zone-data/us-states.ts";
import { firstRow, rows, type Ledger } from "../src/ledger/ground/connection.ts";
import {
  contact,
  createScheduled,
  HOUR_MS,
  importWhole,
  plan,
  tell,
} from "../test/ledger/support/scenario.ts";
import { openBenchLedger } from "./bench-ledger.ts";

/*
 * What it costs to plan a campaign under `us-states` whose people may each be in two states, that of their number and
 * that of their row: a lane for each pair and its zones.
 */

export interface LanesInput {
  contacts: number;
  concurrency: number;
  postgresUrl: string | undefined;
}

interface Measured {
  /** Each of three plannings one after the other, of which the first finds nothing worked out. Milliseconds. */
  tookMs: number[];
  leased: number;
  /** The longest that the process's loop was held. */
  loopMs: number;
}

export interface LanesMeasure {
  ledger: "postgres" | "embedded";
  contacts: number;
  lanes: number;
  plannings: Record<string, Measured>;
  rssMb: number;
}

/** A Wednesday; in summer time of New York, UTC-4. */
const DAY_MS = Date.UTC(2026, 5, 10);

/** When lanes are open: by the clocks of the states and their hours. */
const MOMENTS = {
  "all closed (06:00 in New York)": 10,
  "a few open (08:30 in New York)": 12.5,
  "most open (12:30 in New York)": 16.5,
  "all open but Maine's (17:30 in New York)": 21.5,
};

export async function measureLanes(input: LanesInput): Promise<LanesMeasure> {
  const { ledger, close } = await openBenchLedger(input.postgresUrl);
  try {
    const { contacts, concurrency } = input;
    const plannings: Record<string, Measured> = {};
    const id = await filled(ledger, { contacts, concurrency });
    const counted = await firstRow<{ n: number }>(
      ledger.db,
      sql`select count(*)::int as n from lanes where campaign_id = ${id}::uuid`,
    );
    const lanes = counted?.n ?? 0;
    for (const [when, hours] of Object.entries(MOMENTS))
      plannings[when] = await measured(ledger, id, DAY_MS + hours * HOUR_MS);
    const rssMb = Math.round(process.memoryUsage().rss / 2 ** 20);
    const kind = input.postgresUrl === undefined ? "embedded" : "postgres";
    return { ledger: kind, contacts, lanes, plannings, rssMb };
  } finally {
    await close();
  }
}

/** A campaign of people whose number is of one state, and whose row says another, evenly over all pairs. */
async function filled(
  ledger: Ledger,
  { contacts, concurrency }: { contacts: number; concurrency: number },
): Promise<string> {
  const spec = { presets: ["us-federal", "us-states"], concurrency };
  const { id } = await createScheduled(ledger, spec, DAY_MS);
  const areas = statesOfAreas.flatMap(([, codes]) => codes.split(" "));
  const states = statesOfAreas.map(([state]) => state);
  for (let from = 0; from < contacts; from += 1_000) {
    const people = Array.from({ length: Math.min(1_000, contacts - from) }, (_, index) => {
      const n = from + index;
      const area = areas[n % areas.length] ?? "";
      const state = states[Math.floor(n / areas.length) % states.length] ?? "";
      const phone = `+1${area}${2_000_000 + n}`;
      const read = normalisePhone(phone);
      if (!read.ok) throw new Error(`${phone} is no number`);
      const where = zonesOfContact(read, { country: "", state, postalCode: "" });
      // What `us-federal` asks for.
      const consent = {
        basis: "express_written",
        obtainedAtMs: DAY_MS,
        proof: undefined,
        expiresAtMs: undefined,
      } as const;
      return contact(phone, n + 2, { ...where, variables: {}, consent });
    });
    await importWhole(ledger, id, people, `list ${from}`, DAY_MS);
  }
  await rows(ledger.db, sql`analyze`);
  await tell(ledger, "start", id, { nowMs: DAY_MS });
  return id;
}

async function measured(ledger: Ledger, id: string, nowMs: number): Promise<Measured> {
  const tookMs: number[] = [];
  const leasedBefore = await leasedOf(ledger, id);
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  for (let turn = 0; turn < 3; turn += 1) {
    const beganMs = performance.now();
    await plan(ledger, id, nowMs + turn);
    tookMs.push(Math.round(performance.now() - beganMs));
    // As if all its calls had ended: the next one has lines again.
    await rows(
      ledger.db,
      sql`update batches set state = 'settled', held = 0 where campaign_id = ${id}::uuid`,
    );
  }
  delay.disable();
  return {
    tookMs,
    leased: (await leasedOf(ledger, id)) - leasedBefore,
    loopMs: Math.round(delay.max / 1e6),
  };
}

async function leasedOf(ledger: Ledger, id: string): Promise<number> {
  const found = await firstRow<{ n: number }>(
    ledger.db,
    sql`select leased_count as n from campaigns where id = ${id}::uuid`,
  );
  return found?.n ?? 0;
}
