import { Readable } from "node:stream";

import { readRehearsedPeople } from "../src/contacts/rehearsed-people.ts";
import { statesOfAreas } from "../src/contacts/zone-data/us-states.ts";
import { policyOf, readCampaignSpec, type CampaignSpecInput } from "../src/domain/campaigns/campaign-spec.ts";
import { forecastOf, rehearse, type SeededRun } from "../src/domain/campaigns/rehearsal/forecast.ts";
import { WindowBook } from "../src/domain/campaigns/rehearsal/lane-hours.ts";
import { linesNeeded } from "../src/domain/campaigns/rehearsal/lines-needed.ts";
import { USUAL_OUTCOMES } from "../src/domain/campaigns/rehearsal/outcome-model.ts";
import type { Plan } from "../src/domain/campaigns/rehearsal/plan.ts";

/*
 * What it takes to rehearse a campaign, in ten runs as `outdial rehearse` makes them: under one window for all, and under
 * all that makes lanes and asks most of the gate: the rules of each state that somebody may be in, consent, caps and
 * priorities.
 */

interface Took {
  lanes: number;
  /** Reading the list, and ten runs over it; and what `--end-by` adds. Seconds of CPU, in one process. */
  readSeconds: number;
  runsSeconds: number;
  endBySeconds: number;
  calls: number;
  lines: number | undefined;
  rssMb: number;
}

export interface RehearsalMeasure {
  contacts: number;
  concurrency: number;
  rehearsals: Record<string, Took>;
}

/** A Monday, seven in New York. */
const FROM_MS = Date.parse("2026-11-30T12:00:00Z");
const RUNS = 10;
const DAY_MS = 86_400_000;

const CAMPAIGNS: Record<string, Partial<CampaignSpecInput>> = {
  "one window": { window: { weekdays: ["09:00-20:00"] } },
  "all rules": {
    presets: ["us-federal", "us-states"],
    frequency: [
      { attempts: 2, within: "24h" },
      { attempts: 3, within: "7d", across: "everything" },
    ],
    contact_priority: { column: "score", first: 9, last: 0 },
    least_gap: "1h",
  },
};

export async function measureRehearsal(input: {
  contacts: number;
  concurrency: number;
}): Promise<RehearsalMeasure> {
  const rehearsals: Record<string, Took> = {};
  for (const [name, changes] of Object.entries(CAMPAIGNS)) rehearsals[name] = await measured(input, changes);
  return { ...input, rehearsals };
}

async function measured(
  { contacts, concurrency }: { contacts: number; concurrency: number },
  changes: Partial<CampaignSpecInput>,
): Promise<Took> {
  const read = readCampaignSpec({
    name: "rehearsed",
    agent_id: "11111111-1111-4111-8111-111111111111",
    from_numbers: ["+12025550100"],
    concurrency,
    default_region: "US",
    retry: { max_attempts: 3, delays: { no_answer: "30m", busy: "10m", voicemail: "4h", failed: "5m" } },
    ...changes,
  });
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  const { spec } = read;
  const reading = startedCpu();
  const { people } = await readRehearsedPeople(
    Readable.from(listOf(contacts)),
    { defaultRegion: "US" },
    { spec, suppressed: new Set(), nowMs: FROM_MS },
  );
  const readSeconds = reading();
  const policy = policyOf(spec, 1);
  const plan: Plan = {
    people,
    policy,
    windows: new WindowBook(policy.window),
    lines: concurrency,
    rampMs: 0,
    isNewestFirst: false,
    rate: undefined,
    model: USUAL_OUTCOMES,
    fromMs: FROM_MS,
    shownIn: "UTC",
  };
  const running = startedCpu();
  const runs: SeededRun[] = finish(rehearse(plan, { runs: RUNS, seed: 1 }));
  const runsSeconds = running();
  const forecast = forecastOf(runs);
  const asking = startedCpu();
  // A day more than it took: there is something to find.
  const endByMs = Math.max(...runs.map(({ endMs }) => endMs)) + DAY_MS;
  const answer = finish(linesNeeded(plan, { endByMs, runs, mostLines: concurrency }));
  return {
    lanes: people.lanes.length,
    readSeconds,
    runsSeconds,
    endBySeconds: asking(),
    calls: forecast.calls.median,
    lines: answer.kind === "lines" ? answer.lines : undefined,
    rssMb: Math.round(process.memoryUsage().rss / 2 ** 20),
  };
}

/** People whose number is of one state and whose row says another, evenly over all pairs, and of ten scores. */
function* listOf(contacts: number): Generator<Buffer> {
  const areas = statesOfAreas.flatMap(([, codes]) => codes.split(" "));
  const states = statesOfAreas.map(([state]) => state);
  yield Buffer.from("phone,state,score,consent_basis,consent_at\n");
  for (let n = 0; n < contacts; n += 1) {
    const area = areas[n % areas.length] ?? "";
    const state = states[Math.floor(n / areas.length) % states.length] ?? "";
    yield Buffer.from(`+1${area}${2_000_000 + n},${state},${n % 10},express_written,2026-10-01\n`);
  }
}

function startedCpu(): () => number {
  const began = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(began);
    return Math.round((user + system) / 1e4) / 100;
  };
}

function finish<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}
