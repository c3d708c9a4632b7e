import fs from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

import { checkSecretBrands, checkSecretsDir } from "../../src/cli/doctor/secrets.ts";
import { readSecretBrands } from "../../src/domain/ground/secrets.ts";
import { outdial, temporaryFolder, writeFile } from "./support.ts";

const doctor = (dir: string | undefined) =>
  checkSecretsDir({ secrets: { dir, variables: {}, files: {}, brands: new Map() } });

it("says nothing of a secrets folder where none is named", async () => {
  expect(await doctor(undefined)).toEqual([]);
});

it("says of the secrets folder whether secrets can be read from it", async () => {
  const dir = temporaryFolder();
  const file = writeFile(dir, "crm", "S3CRET");
  fs.chmodSync(file, 0o600);
  expect(await doctor(dir)).toEqual([{ name: "secrets folder", status: "ok", detail: dir }]);
  const absent = await doctor("/nowhere/secrets");
  expect(absent).toMatchObject([{ status: "fail", detail: "/nowhere/secrets is not there" }]);
  expect(absent[0]?.remedy).toContain("OUTDIAL_SECRETS_DIR");
  expect(await doctor(file)).toMatchObject([{ status: "fail", detail: `${file} is no folder` }]);
});

it("warns of secrets that every user of the machine may read, and names no other file", async () => {
  const dir = temporaryFolder();
  fs.chmodSync(dir, 0o755);
  for (const name of ["crm", "hooks", "README.md"]) fs.chmodSync(writeFile(dir, name, "S3CRET"), 0o644);
  expect(await doctor(dir)).toMatchObject([
    {
      status: "warn",
      detail: `crm, hooks in ${dir} can be read by every user of this machine`,
      remedy: expect.stringContaining("chmod"),
    },
  ]);
  fs.chmodSync(dir, 0o700);
  expect(await doctor(dir)).toMatchObject([{ status: "ok" }]);
});

it("names a secret that can't be read", async () => {
  const dir = temporaryFolder();
  fs.symlinkSync(path.join(dir, "gone"), path.join(dir, "crm"));
  expect(await doctor(dir)).toMatchObject([{ status: "fail", detail: `crm in ${dir} can't be read` }]);
});

it("warns of brands that are given to a secret which is not there: that keeps nothing from anybody", async () => {
  const dir = temporaryFolder();
  writeFile(dir, "crm-2", "S3CRET");
  const check = (text: string, from: string | undefined = dir) => {
    const brands = readSecretBrands(text);
    if (typeof brands === "string") throw new Error(brands);
    const secrets = { dir: from, variables: { HUB: "S3CRET" }, files: { PAGER: "/run/pager" }, brands };
    return checkSecretBrands({ secrets });
  };
  expect(await checkSecretBrands({ secrets: { dir, variables: {}, files: {}, brands: new Map() } })).toEqual(
    [],
  );
  expect(await check("crm_2=acme, hub=-, pager=acme, *=acme")).toMatchObject([{ status: "ok" }]);
  expect(await check("crm-2=acme, hubb=-")).toMatchObject([
    {
      status: "warn",
      detail: expect.stringMatching(/speaks of hubb,/),
      remedy: expect.stringMatching(/correct/),
    },
  ]);
  expect(await check("crm-2=acme", "/nowhere")).toMatchObject([{ status: "warn" }]);
});

it("is a check of `outdial doctor`", async () => {
  const { stdout, stderr } = await outdial(["doctor"], {
    OUTDIAL_DATA_DIR: temporaryFolder(),
    OUTDIAL_SECRETS_DIR: "/nowhere/secrets",
  });
  expect(stdout + stderr).toContain("/nowhere/secrets is not there");
});
