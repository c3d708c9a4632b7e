import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";

import { backUp, type BackUpInput } from "../../src/backup/back-up.ts";
import { DUMP_FILE } from "../../src/backup/postgres.ts";
import { createToken } from "../../src/ledger/ground/api-tokens.ts";
import type { Ledger } from "../../src/ledger/ground/connection.ts";
import { DataKeys } from "../../src/ledger/ground/data-keys.ts";
import { openEmbeddedLedger } from "../../src/ledger/ground/embedded.ts";
import { openPostgresLedger } from "../../src/ledger/ground/postgres.ts";
import { beginSession } from "../../src/ledger/ground/sessions.ts";
import { createSignInCode } from "../../src/ledger/ground/sign-in-codes.ts";
import { beginImport, importChunk } from "../../src/ledger/campaigns/imports.ts";
import { completeImport } from "../../src/ledger/campaigns/list-imports.ts";
import { contact, createScheduled, freshPhones, NOW_MS } from "../ledger/support/scenario.ts";
import { freshDataDir, given } from "../support/ledgers.ts";
import { createDatabase, findPostgresBinaries, LEDGER_TEMPLATE } from "../support/postgres.ts";

/* Whoever gets hold of a backup has the people of the lists. What lets somebody in, and what was sealed, they have not. */

const SEALED = "canary-account-4711";
const [PHONE] = freshPhones(1) as [string];

/** What is to be found nowhere, in the form in which it would let somebody in. */
async function filled(ledger: Ledger): Promise<Record<string, string>> {
  const dataKey = { id: "k1", key: randomBytes(32) };
  const dataKeys = new DataKeys([dataKey]);
  const nowMs = NOW_MS;
  const spec = {
    agent_id: "11111111-1111-4111-8111-111111111111",
    from_numbers: ["+12025550100"],
    concurrency: 5,
    sensitive: ["account"],
  };
  const { id: campaignId } = await createScheduled(ledger, spec, nowMs);
  const list = { digest: "d", sourceName: "l.csv", settings: {}, campaignId, dataKeys, nowMs };
  const { id: importId } = await beginImport(ledger, list);
  const person = contact(PHONE, 2, { variables: { first_name: "Ada", account: SEALED } });
  await importChunk(ledger, { campaignId, importId, rows: [person], throughLine: 2, dataKeys, nowMs });
  await completeImport(ledger, { importId, nowMs });
  const rights = { role: "viewer", brands: undefined } as const;
  const by = { actor: "test", nowMs };
  return ledger.transaction(async (tx) => {
    const { secret: token } = await createToken(tx, {
      name: "crm",
      ...rights,
      expiresAtMs: undefined,
      ...by,
    });
    const { cookie } = await beginSession(
      tx,
      { kind: "person", name: "ann@example.com", ...rights },
      { nowMs, lifeMs: 3_600_000 },
    );
    const maker = {
      tokenId: undefined,
      systemMark: undefined,
      madeIn: undefined,
      sessionEndsAtMs: undefined,
    };
    const { code } = await createSignInCode(tx, { name: "ben", ...rights, maker, ...by });
    return { token, cookie, code, sealed: SEALED, dataKey: dataKey.key.toString("latin1") };
  });
}

/** Each as it is, and as bytes are written in dumps. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret, "latin1");
  // Of what names it and what nobody guesses, the second alone lets somebody in.
  const last = secret.slice(-43);
  return [secret, last, bytes.toString("hex"), bytes.toString("base64"), bytes.toString("base64url")];
}

function expectNone(text: string, secrets: Readonly<Record<string, string>>): void {
  // What is there is found, or nothing would be.
  expect(text.includes(PHONE)).toBe(true);
  for (const [name, secret] of Object.entries(secrets))
    for (const form of formsOf(secret)) expect(text.includes(form), name).toBe(false);
}

const parent = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-canaries-"));
afterAll(() => fs.rmSync(parent, { recursive: true, force: true }));

const backUpTo = (folder: string, ledger: BackUpInput["ledger"]) =>
  backUp({
    folder,
    version: "0.1.0",
    ledger,
    recordingsDir: undefined,
    say: () => {},
    signal: new AbortController().signal,
  });

function textBelow(folder: string): string {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => fs.readFileSync(path.join(entry.parentPath, entry.name), "latin1"))
    .join("\n");
}

describe("nothing that lets somebody in, and nothing that was sealed, is found in a backup", () => {
  it("of an embedded ledger, its log of what is written ahead included", async () => {
    const dataDir = freshDataDir();
    try {
      const ledger = await openEmbeddedLedger(dataDir);
      const secrets = await filled(ledger);
      await ledger.close();
      const folder = path.join(parent, "embedded");
      await backUpTo(folder, { kind: "embedded", dataDir, copy: undefined });
      expectNone(textBelow(folder), secrets);
      expectNone(textBelow(dataDir), secrets);
    } finally {
      fs.rmSync(dataDir, { recursive: true, force: true });
    }
  });

  describe.skipIf(inject("postgresUrl") === undefined)("with PostgreSQL", () => {
    let databaseUrl: string;
    beforeAll(async () => {
      databaseUrl = await createDatabase(given(inject("postgresUrl")), { template: LEDGER_TEMPLATE });
    });

    it("of a ledger there, unpacked", async () => {
      const ledger = await openPostgresLedger({ url: databaseUrl, maxConnections: 2 });
      const secrets = await filled(ledger);
      await ledger.close();
      const folder = path.join(parent, "postgres");
      const programs = given(findPostgresBinaries());
      const before = process.env["PATH"];
      process.env["PATH"] = `${programs}${path.delimiter}${before}`;
      try {
        await backUpTo(folder, { kind: "postgres", databaseUrl });
      } finally {
        process.env["PATH"] = before;
      }
      const unpacked = execFileSync(
        path.join(programs, "pg_restore"),
        ["--file=-", path.join(folder, DUMP_FILE)],
        { encoding: "latin1", maxBuffer: 256 * 1024 * 1024 },
      );
      expectNone(unpacked, secrets);
    });
  });
});
