import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";

import { SETTING_DOCS } from "../../src/config.ts";
import { say, systemdAnalyze } from "../support/deploy-tools.ts";
import { given } from "../support/ledgers.ts";

const source = fileURLToPath(new URL("../../deploy/systemd", import.meta.url));
const units = fs.readdirSync(source).filter((name) => name.endsWith(".service"));
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-units-"));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** As on a machine where the program, its user and its settings are: these are not here. */
function unitsAsInstalled(): string[] {
  return units.map((unit) => {
    const text = fs
      .readFileSync(path.join(source, unit), "utf8")
      .replaceAll("/usr/bin/outdial", "/bin/true")
      .replace(/^(User|Group)=outdial$/gm, "$1=daemon")
      .replace(/^EnvironmentFile=.*\n/gm, "");
    const installed = unit.replace("@.", "@1.");
    fs.writeFileSync(path.join(folder, installed), text);
    return path.join(folder, installed);
  });
}

describe("the systemd units", () => {
  it.skipIf(systemdAnalyze === undefined)(
    "are without fault for systemd, and leave a process little to do harm with",
    () => {
      const files = unitsAsInstalled();
      const verified = say(given(systemdAnalyze), ["verify", "--man=no", "--recursive-errors=one", ...files]);
      expect(verified).toEqual({ code: 0, text: "" });
      for (const file of files) {
        // Tenths of a point out of a hundred; systemd calls up to 30 well.
        const bound = say(given(systemdAnalyze), ["security", "--offline=true", "--threshold=20", file]);
        expect(bound.code, bound.text).toBe(0);
      }
    },
  );

  it("name settings that there are, and secrets as credentials alone", () => {
    const known = new Set(SETTING_DOCS.flatMap(({ name, secret }) => (secret ? [`${name}_FILE`] : [name])));
    const named = [...units, "outdial.env"].flatMap((file) =>
      fs
        .readFileSync(path.join(source, file), "utf8")
        .split("\n")
        .filter((line) => !line.startsWith("#"))
        .flatMap((line) => line.match(/\b(?:OUTDIAL|TEMPORAL|PLATFORM|DATABASE)_\w+(?==)/g) ?? []),
    );
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });
});
