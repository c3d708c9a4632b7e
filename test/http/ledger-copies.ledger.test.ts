import fs from "node:fs";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { sql } from "drizzle-orm";

import { rows } from "../../src/ledger/ground/connection.ts";
import { describeLedgers } from "../support/ledgers.ts";
import { openApi, openSandbox } from "./support.ts";

describeLedgers("a copy of the ledger", (ledger) => {
  it("is made beside an embedded one, once at a time, and by the tools of PostgreSQL elsewhere", async () => {
    const api = await openApi(ledger(), await openSandbox());
    const ask = () => api.app.inject({ method: "POST", url: "/v1/ledger/copies", payload: {} });
    const [first, second] = await Promise.all([ask(), ask()]);
    if (ledger().kind === "postgres") {
      expect(first.json()).toMatchObject({ status: 409, code: "not_embedded" });
      return;
    }
    expect(second.json()).toMatchObject({ status: 409, code: "request_under_way" });
    expect(first.statusCode, first.body).toBe(201);
    const copy = first.json<{ folder: string; files: number }>();
    onTestFinished(() => fs.rmSync(path.dirname(copy.folder), { recursive: true }));
    const copied = fs.readdirSync(copy.folder, { recursive: true, withFileTypes: true });
    expect(copied.filter((entry) => entry.isFile())).toHaveLength(copy.files);
    expect(copy.files).toBeGreaterThan(100);
    const audit = await rows(ledger().db, sql`select 1 as one from audit where action = 'ledger.copy'`);
    expect(audit).toHaveLength(1);
    // Another one afterwards is another copy.
    const third = await ask();
    expect(third.statusCode).toBe(201);
    expect(third.json()).not.toMatchObject({ folder: copy.folder });
    fs.rmSync(path.dirname(third.json<{ folder: string }>().folder), { recursive: true });
  });
});
