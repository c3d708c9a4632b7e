import { sql } from "drizzle-orm";
import fc from "fast-check";
import fs from "node:fs";
import { beforeAll, expect, it } from "vitest";

import { rows } from "../../../src/ledger/ground/connection.ts";
import { openEmbeddedLedger } from "../../../src/ledger/ground/embedded.ts";
import { readInstallation } from "../../../src/ledger/ground/installation.ts";
import { freshDataDir, given } from "../../support/ledgers.ts";
import { builtFolder } from "../../support/build.ts";
import { runChild } from "../support/child.ts";
import { expectInvariants } from "../support/invariants.ts";
import { specOf } from "../support/scenario.ts";

/** Rows in a chunk: small, so that a kill may come between any two. */
const CHUNK = 50;

/** Imports without end, and says the last line of each chunk once it was accepted. */
const IMPORT = `
  const { openEmbeddedLedger } = await import(LEDGER + "/ledger/ground/embedded.js");
  const { findCampaign } = await import(LEDGER + "/ledger/campaigns/campaigns.js");
  const { createCampaign } = await import(LEDGER + "/ledger/campaigns/campaign-specs.js");
  const { beginImport, importChunk } = await import(LEDGER + "/ledger/campaigns/imports.js");
  const ledger = await openEmbeddedLedger(ARGS.dataDir);
  const nowMs = Date.now();
  const campaign =
    (await findCampaign(ledger.db, ARGS.spec.brand, ARGS.spec.name)) ??
    (await ledger.transaction((tx) => createCampaign(tx, { spec: ARGS.spec, actor: "child", nowMs })));
  const list = { campaignId: campaign.id, digest: "d", sourceName: "list.csv", settings: {}, nowMs };
  const begun = await beginImport(ledger, list);
  let line = Math.max(1, begun.throughLine);
  say({ resumesAfter: line, campaignId: campaign.id });
  for (;;) {
    const rows = [];
    for (let n = 0; n < ${CHUNK}; n += 1) {
      line += 1;
      const phone = "+1" + (3000000000 + line);
      rows.push({ kind: "contact", line, phone, region: "US", zones: ["America/New_York"], strictZones: ["America/New_York"], variables: { line: String(line) } });
    }
    await importChunk(ledger, { campaignId: campaign.id, importId: begun.id, rows, throughLine: line, nowMs });
    say({ accepted: line });
  }
`;

let built: string | undefined;
beforeAll(async () => {
  built = await builtFolder();
});

it("an import that is killed at any moment loses no chunk that was accepted, and goes on behind it", async () => {
  // fast-check prints the seed of a failure; { seed } as a further option repeats it.
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(12), fc.nat(40)), { minLength: 2, maxLength: 2 }),
      async (kills) => {
        const dataDir = freshDataDir();
        const spec = specOf({ name: "killed" });
        let accepted = 1;
        let resumed = 1;
        for (const [chunks, delayMs] of kills) {
          const child = runChild(given(built), IMPORT, { dataDir, spec });
          const first: { resumesAfter: number } = JSON.parse(
            await child.line((line) => line.includes("resumesAfter")),
          );
          // One chunk may have been accepted that nobody was told of, no more and none less.
          expect([accepted, accepted + CHUNK]).toContain(first.resumesAfter);
          resumed = first.resumesAfter;
          const enough = resumed + chunks * CHUNK;
          if (chunks > 0) await child.line((line) => line.includes(`"accepted":${enough}}`));
          // The moment within the chunk after that.
          await new Promise((resolve) => setTimeout(resolve, delayMs));
          await child.kill();
          const said = child.lines.flatMap((line): number[] => JSON.parse(line).accepted ?? []);
          accepted = Math.max(resumed, ...said);
        }
        const ledger = await openEmbeddedLedger(dataDir);
        try {
          const kept = await rows<{ line: number; phone: string }>(
            ledger.db,
            sql`select line, phone from contacts order by line`,
          );
          expect([accepted, accepted + CHUNK]).toContain(kept.length + 1);
          expect(kept.map((row) => row.phone)).toEqual(
            kept.map((_row, index) => `+1${3_000_000_000 + index + 2}`),
          );
          // A killed process is no crashed machine: nothing has to be recovered.
          expect((await readInstallation(ledger.db)).recoveryReason).toBeUndefined();
          await expectInvariants(ledger);
        } finally {
          await ledger.close();
          fs.rmSync(dataDir, { recursive: true, force: true });
        }
      },
    ),
    { numRuns: 2 },
  );
});
