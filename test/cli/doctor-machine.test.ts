import path from "node:path";
import { expect, it } from "vitest";

import { checkDataDir } from "../../src/cli/doctor/machine.ts";
import { temporaryFolder, writeFile } from "./support.ts";

it("the doctor says of a data folder that is a file, or lies in one, that it is no folder", async () => {
  const file = writeFile(temporaryFolder(), "list.csv", "phone\n");
  for (const dataDir of [file, path.join(file, "data")])
    expect(await checkDataDir({ dataDir })).toEqual([
      {
        name: "data folder",
        status: "fail",
        detail: `${file} is no folder`,
        remedy: "set OUTDIAL_DATA_DIR to a folder",
      },
    ]);
  const [folder, disk] = await checkDataDir({ dataDir: path.join(temporaryFolder(), "new") });
  expect([folder?.status, disk?.name]).toEqual(["ok", "disk"]);
});
