import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";

import { readSequence } from "../../src/domain/sequences/definition.ts";
import { readTriggerDefinition } from "../../src/domain/triggers/trigger.ts";
import { takeDelivery } from "../../src/chores/triggers/take-delivery.ts";
import { putSequence } from "../../src/ledger/sequences/sequences.ts";
import { putTrigger } from "../../src/ledger/triggers/triggers.ts";
import { openApi, platformAt } from "../http/support.ts";
import { enrolmentsOf, intakeDeps, outboxOf } from "../support/intake.ts";
import { withLedger } from "../support/ledgers.ts";
import { projectFolder, readDocument } from "./support/documents.ts";
import { PATIENCE_MS } from "../support/until.ts";

const run = promisify(execFile);

const SECRETS: Readonly<Record<string, string>> = {
  crm: "a-secret-of-the-crm",
  hubspot: "a-client-secret",
  "hubspot-workflow": "a-token-of-a-workflow",
};

const ENVIRONMENT = {
  CRM_SECRET: SECRETS["crm"],
  HUBSPOT_SECRET: SECRETS["hubspot"],
  WORKFLOW_SECRET: SECRETS["hubspot-workflow"],
};

const readYaml = (file: string): unknown =>
  parse(fs.readFileSync(path.join(projectFolder, "examples", file), "utf8"));

const SENDERS = readDocument("docs/triggers.md").fences.filter(
  ({ language, text }) => language === "sh" && text.includes("curl"),
);

describe("the senders in docs/triggers.md", () => {
  withLedger((ledger) => {
    it("are taken as they are written, enroll who is in them, and change nothing when they come again", async () => {
      const secrets = { read: (name: string) => [SECRETS[name] ?? ""] };
      const { app } = await openApi(ledger(), { secrets });
      const url = await app.listen({ host: "127.0.0.1", port: 0 });
      for (const name of ["trial-welcome", "hubspot-deal-follow-up"]) {
        const reading = readSequence(readYaml(`sequences/${name}.yaml`));
        if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
        const { definition } = reading;
        await ledger().transaction((tx) => putSequence(tx, { definition, actor: "test", nowMs: Date.now() }));
      }
      for (const name of ["generic", "hubspot", "hubspot-deal"]) {
        const reading = readTriggerDefinition(readYaml(`triggers/${name}.yaml`));
        if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
        const { definition } = reading;
        await ledger().transaction((tx) => putTrigger(tx, { definition, actor: "test", nowMs: Date.now() }));
      }
      expect(SENDERS).toHaveLength(3);
      for (const again of [false, true]) {
        for (const { text } of SENDERS) {
          const { stdout } = await run(
            "bash",
            ["-euo", "pipefail", "-c", text.replaceAll("http://127.0.0.1:8480", url)],
            {
              cwd: projectFolder,
              env: { PATH: process.env["PATH"], ...ENVIRONMENT },
              timeout: PATIENCE_MS,
            },
          );
          expect(JSON.parse(stdout)).toEqual({
            delivery_id: expect.any(String),
            ...(again && { duplicate: true }),
          });
        }
      }
      const deps = intakeDeps(ledger(), platformAt("http://127.0.0.1:9", "key"));
      for (const deliveryId of await outboxOf(ledger(), "delivery")) await takeDelivery(deps, { deliveryId });
      const phones = async (name: string) => (await enrolmentsOf(ledger(), name)).map(({ phone }) => phone);
      expect(await phones("trial-welcome")).toEqual(["+12025550143", "+12025550144"]);
      expect(await phones("hubspot-deal-follow-up")).toEqual(["+12025550145"]);
    });
  });
});
