import { createHash } from "node:crypto";
import { Readable } from "node:stream";

import { phoneNumbers, until } from "../test/support/engine.ts";
import { openMeasuredSystem, type MeasuredSystem } from "./measured-system.ts";

export interface FullAgainInput {
  lines: number;
  postgresUrl: string;
  cacheDir: string;
}

/** From when dialing is permitted again, in milliseconds. */
export interface FullAgain {
  firstDialMs: number;
  /** Until all lines are busy. */
  fullMs: number;
}

/** How soon the lines of a campaign are full, from whatever lets it dial, at the pace of a real platform. */
export interface FullAgainMeasure {
  lines: number;
  start: FullAgain;
  /** The pause is answered, and the last dial comes so long after its answer; negative: before it. */
  pause: { answeredMs: number; lastDialMs: number };
  resume: FullAgain;
  /** Lines are full again after half of the calls ended, of a campaign that dials on. */
  callsEnded: FullAgain;
  goOn: FullAgain;
  /** To half as many lines more. */
  amend: FullAgain;
  windowOpens: FullAgain;
  /** From when the only worker, killed while all lines were busy and free since, is started again. */
  killed: FullAgain;
}

/** No wait of these lasts longer. */
const BOUND_MS = 180_000;

/** Longer than the measurement: lines come free when it says so. */
const ENDLESS_MS = 10 * 3_600_000;

const ENDLESS = [{ outcome: "answered" as const, talk_ms: ENDLESS_MS }];

const ZONE = "America/New_York";
export const AGENT = { agent_id: "11111111-1111-4111-8111-111111111111", from_numbers: ["+12025550100"] };

export async function measureFullAgain({ lines, ...input }: FullAgainInput): Promise<FullAgainMeasure> {
  const system = await openMeasuredSystem({ speed: 1, sandbox: { speed: 1 }, ...input });
  try {
    return await measure(system, lines);
  } finally {
    await system.close();
  }
}

async function measure(system: MeasuredSystem, lines: number): Promise<FullAgainMeasure> {
  const { api, sandbox } = system;
  await system.start("server");
  const worker = await system.start("worker");
  await worker.waitFor(/the worker runs/);
  const stage = stageOf(system);
  const spec = { name: "measured", ...AGENT, concurrency: lines, window: "always", default_region: "US" };
  // Those of batches that were stopped come back when it is proven that nobody called them: others are there meanwhile.
  const people = lines * 40;
  const id = await stage.prepare(spec, people, 0);

  const start = await stage.untilFull(lines, () => api.campaigns.start(id, { allowPartial: false }));
  const pausedMs = Date.now();
  await api.campaigns.pause(id, {});
  const answeredMs = Date.now();
  await stage.endCalls(lines);
  await stage.settle();
  const lastDialMs = stage.lastDialMs() - answeredMs;
  const resume = await stage.untilFull(lines, () => api.campaigns.resume(id, {}));
  const callsEnded = await stage.untilFull(lines, () => stage.endCalls(Math.floor(lines / 2)));
  await api.system.stopAll("measured");
  await stage.endCalls(lines);
  await stage.settle();
  const goOn = await stage.untilFull(lines, () => api.system.goOn("measured"));
  const more = lines + Math.floor(lines / 2);
  const amend = await stage.untilFull(more, () =>
    api.campaigns.amend(id, { spec: { ...spec, concurrency: more } }),
  );
  await worker.kill();
  await stage.drain();
  const killed = await stage.untilFull(more, () => system.start("worker"));
  await api.campaigns.cancel(id, {});
  await stage.endCalls(more);
  await stage.settle();

  const opensMs = nextMinute(Date.now() + 15_000);
  const window = { everyday: [`${localTime(opensMs)}-24:00`] };
  const later = await stage.prepare({ ...spec, name: "window", window: windowOf(window) }, lines * 3, people);
  await api.campaigns.start(later, { allowPartial: false });
  const windowOpens = await stage.untilFull(lines, async () => {
    await new Promise((resolve) => setTimeout(resolve, opensMs - Date.now()));
    return opensMs;
  });
  const dialsOfAll = sandbox.dialLog.length;
  if (new Set(sandbox.dialLog.entries().map(({ phone }) => phone)).size !== dialsOfAll)
    throw new Error("somebody was dialed twice");
  const pause = { answeredMs: answeredMs - pausedMs, lastDialMs };
  return { lines, start, pause, resume, callsEnded, goOn, amend, windowOpens, killed };
}

/** Days that are open from that on; today's is the one that counts. */
function windowOf({ everyday }: { everyday: string[] }): Record<string, string[]> {
  return { weekdays: everyday, weekend: everyday };
}

function nextMinute(ms: number): number {
  return Math.ceil(ms / 60_000) * 60_000;
}

function localTime(ms: number): string {
  return new Intl.DateTimeFormat("en-GB", { timeZone: ZONE, hour: "2-digit", minute: "2-digit" }).format(ms);
}

export function stageOf({ api, sandbox, platform }: MeasuredSystem) {
  const ended = new Set<string>();
  const dials = () => sandbox.dialLog.entries();
  return {
    lastDialMs: () => Math.max(...dials().map(({ at }) => Date.parse(at))),

    /** A campaign with its list, whose calls end when they are told to. */
    async prepare(spec: object, contacts: number, from: number): Promise<string> {
      const phones = phoneNumbers(contacts, from);
      for (const phone of phones) sandbox.outcomes.force(phone, ENDLESS);
      const campaign = await api.campaigns.create(spec, false);
      const text = `phone\n${phones.join("\n")}\n`;
      await api.campaigns.upload(campaign.id, {
        readable: Readable.from([text]),
        digest: createHash("sha256").update(text).digest("hex"),
        sourceName: "measured.csv",
      });
      return campaign.id;
    },

    async endCalls(count: number): Promise<void> {
      const up = dials().filter(({ call_id: id }) => !ended.has(id));
      await Promise.all(
        up.slice(0, count).map(async ({ call_id: id }) => {
          ended.add(id);
          await platform.calls.end(id);
        }),
      );
    },

    /** Until batches that nobody adds to have called everybody: whoever is up hangs up. */
    async drain(): Promise<void> {
      for (let quiet = 0; quiet < 5; quiet += 1) {
        if (sandbox.stats().activeCalls > 0) quiet = 0;
        await this.endCalls(Number.POSITIVE_INFINITY);
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    },

    /** Until nobody is up. */
    settle: () => until("calls to end", () => sandbox.stats().activeCalls === 0, BOUND_MS),

    /** From when it is let, or from the moment that this gives, until all lines are busy. */
    async untilFull(lines: number, letDial: () => Promise<unknown>): Promise<FullAgain> {
      const before = sandbox.dialLog.length;
      let beganMs = Date.now();
      const atMs = await letDial();
      if (typeof atMs === "number") beganMs = atMs;
      let firstDialMs: number | undefined;
      await until(
        `${lines} lines to be busy`,
        () => {
          if (sandbox.dialLog.length > before) firstDialMs ??= Date.now();
          return sandbox.stats().activeCalls >= lines;
        },
        BOUND_MS,
      );
      const fullAtMs = Date.now();
      return { firstDialMs: (firstDialMs ?? fullAtMs) - beganMs, fullMs: fullAtMs - beganMs };
    },
  };
}
