import path from "node:path";
import { expect, inject, it } from "vitest";

import { checkSources } from "../../src/cli/doctor/sources.ts";
import { given } from "../support/ledgers.ts";
import { temporaryFolder, writeFile } from "./support.ts";

const doctor = async (lists: { dir?: string; databases?: Record<string, string> }) => {
  const dataDir = temporaryFolder();
  const { dir = path.join(dataDir, "lists"), databases = {} } = lists;
  return checkSources({ dataDir, lists: { dir, databases, spoolDir: "" } });
};

it("says of the lists folder whether lists can be taken from it", async () => {
  expect(await doctor({})).toMatchObject([{ name: "lists folder", status: "ok" }]);
  expect(await doctor({ dir: temporaryFolder() })).toMatchObject([{ status: "ok" }]);
  const absent = await doctor({ dir: "/nowhere/lists" });
  expect(absent).toMatchObject([{ status: "fail", detail: "/nowhere/lists is not there" }]);
  expect(absent[0]?.remedy).toContain("OUTDIAL_LISTS_DIR");
  const file = writeFile(temporaryFolder(), "lists", "phone");
  expect(await doctor({ dir: file })).toMatchObject([{ status: "fail", detail: `${file} is no folder` }]);
});

it("names a database that does not let us in, and nothing of its address", async () => {
  const checks = await doctor({
    databases: {
      CRM_2: "postgres://u:hidden@127.0.0.1:9/crm",
      CRM: "postgres://u:hidden%ff@127.0.0.1:9/crm",
    },
  });
  expect(checks.slice(1)).toMatchObject([
    { name: "database crm", status: "fail", detail: expect.stringContaining("percent-encoding") },
    { name: "database crm_2", status: "fail", detail: "it does not answer (ECONNREFUSED)" },
  ]);
  expect(checks[2]?.remedy).toContain("OUTDIAL_DATABASE_CRM_2");
  expect(JSON.stringify(checks)).not.toContain("hidden");
});

it.skipIf(inject("postgresUrl") === undefined)(
  "warns of a database user who may do more than read",
  async () => {
    const checks = await doctor({ databases: { CRM: given(inject("postgresUrl")) } });
    expect(checks[1]).toMatchObject({ name: "database crm", status: "warn" });
    expect(checks[1]?.detail).toMatch(/^PostgreSQL \d+.*a superuser$/);
  },
);
