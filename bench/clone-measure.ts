import { monitorEventLoopDelay } from "node:perf_hooks";

import { beginClone, takeClonedPeople } from "../src/ledger/campaigns/cloning.ts";
import { readCampaign } from "../src/ledger/campaigns/campaigns.ts";
import { fillCampaign } from "../test/ledger/support/filling.ts";
import { freshPhones, NOW_MS, running } from "../test/ledger/support/scenario.ts";
import { given } from "../test/support/ledgers.ts";
import { openBenchLedger } from "./bench-ledger.ts";

/* What it costs to make a campaign of all the people of another one. */

export interface CloneMeasure {
  ledger: "postgres" | "embedded";
  contacts: number;
  taken: number;
  seconds: number;
  peoplePerSecond: number;
  /** The longest that the process's loop was held. */
  loopMs: number;
  rssMb: number;
}

export async function measureClone(input: {
  contacts: number;
  postgresUrl: string | undefined;
}): Promise<CloneMeasure> {
  const { ledger, close } = await openBenchLedger(input.postgresUrl);
  try {
    const id = await running(ledger, freshPhones(1), { name: "source" });
    await fillCampaign(ledger, id, input.contacts - 1);
    const source = given(await readCampaign(ledger.db, id));
    const delay = monitorEventLoopDelay({ resolution: 5 });
    delay.enable();
    const beganMs = performance.now();
    const clone = await beginClone(
      ledger,
      {
        source,
        spec: { ...source.spec, name: "clone" },
        whom: { people: "all", tag: undefined },
        actor: "bench",
        nowMs: NOW_MS,
      },
      () => undefined,
    );
    await takeClonedPeople(ledger, clone.id, () => NOW_MS);
    const seconds = (performance.now() - beganMs) / 1_000;
    delay.disable();
    const { open, excluded } = given(await readCampaign(ledger.db, clone.id)).tallies;
    return {
      ledger: input.postgresUrl === undefined ? "embedded" : "postgres",
      contacts: input.contacts,
      taken: open + excluded,
      seconds: Math.round(seconds),
      peoplePerSecond: Math.round(input.contacts / seconds),
      loopMs: Math.round(delay.max / 1e6),
      rssMb: Math.round(process.memoryUsage().rss / 2 ** 20),
    };
  } finally {
    await close();
  }
}
