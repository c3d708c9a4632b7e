import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { it } from "vitest";
import { AGENT, stageOf } from "./full-again-measure.ts";
import { openMeasuredSystem } from "./measured-system.ts";
import { findPostgresBinaries, startPostgres } from "../test/support/postgres.ts";
import { cacheDir } from "../test/support/setup-temporal.ts";
import { phoneNumbers, until } from "../test/support/engine.ts";

const FAULTS: Record<string, object[]> = {
  drop: [{ kind: "drop_before", route: "*" }],
  "503": [{ kind: "status", route: "*", status: 503 }],
  "429": [{ kind: "status", route: "*", status: 429, retry_after: "5" }],
  hang: [{ kind: "latency", route: "*", ms: 3_600_000 }],
};
it("zz", async () => {
  const postgres = await startPostgres(findPostgresBinaries()!, undefined, ["synchronous_commit=on"]);
  const system = await openMeasuredSystem({ speed: 1, sandbox: { speed: 1 }, postgresUrl: postgres.url, cacheDir: cacheDir() });
  system.settings["DATABASE_URL"] = system.databaseUrl;
  await system.start("server");
  const worker = await system.start("worker");
  await worker.waitFor(/the worker runs/);
  const stage = stageOf(system);
  const { api, sandbox } = system;
  let from = 0;
  for (const [name, faults] of Object.entries(FAULTS)) {
    const phones = phoneNumbers(5_000, from);
    from += 5_000;
    for (const phone of phones) sandbox.outcomes.force(phone, [{ outcome: "answered", talk_ms: 2_000 }]);
    const spec = { name, ...AGENT, concurrency: 30, window: "always", default_region: "US" };
    const campaign = await api.campaigns.create(spec, false);
    const text = `phone\n${phones.join("\n")}\n`;
    await api.campaigns.upload(campaign.id, { readable: Readable.from([text]), digest: createHash("sha256").update(text).digest("hex"), sourceName: "m.csv" });
    await stage.untilFull(25, () => api.campaigns.start(campaign.id, { allowPartial: false }));
    await new Promise((r) => setTimeout(r, 5_000));
    const ids = faults.map((fault) => sandbox.faults.add(fault as never).fault_id);
    const t = Date.now();
    await until("quiet", () => sandbox.stats().activeCalls === 0 && Date.now() - t > 90_000, 600_000);
    const downS = Math.round((Date.now() - t) / 1000);
    const full = await stage.untilFull(25, async () => { for (const id of ids) sandbox.faults.remove(id); });
    console.log("RES", name, downS, JSON.stringify(full), (await api.campaigns.list({} as never).catch(() => undefined)) ? "" : "");
    await api.campaigns.cancel(campaign.id, {});
    await until("quiet", () => sandbox.stats().activeCalls === 0, 600_000);
  }
  await system.close();
  await postgres.stop();
}, 3_000_000);
