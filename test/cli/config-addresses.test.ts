import { expect, it } from "vitest";

import { outdial, temporaryFolder } from "./support.ts";

const refusedWith = async (settings: Record<string, string>, args: readonly string[] = ["doctor"]) => {
  const { code, stdout, stderr } = await outdial([...args], {
    OUTDIAL_DATA_DIR: temporaryFolder(),
    PLATFORM_BASE_URL: "http://127.0.0.1:9",
    PLATFORM_API_KEY: "a-key",
    ...settings,
  });
  expect(code).toBe(args[0] === "doctor" ? 1 : 2);
  expect(stdout + stderr).not.toContain("S3CRET");
  return stdout + stderr;
};

it.each([
  ["OUTDIAL_API_URL", "http://u:S3CRET@127.0.0.1:9"],
  ["OUTDIAL_API_URL", "http://S3CRET@127.0.0.1:9"],
  ["PLATFORM_BASE_URL", "https://u:S3CRET@voice.example.com"],
  ["PLATFORM_WS_URL", "wss://u:S3CRET@voice.example.com"],
])("%s with a user name or password is refused by its name, and not shown", async (name, value) => {
  expect(await refusedWith({ [name]: value })).toContain(`${name} must not hold a user name or password`);
  expect(await refusedWith({ [name]: value }, ["campaign", "list"])).toContain(name);
});

it.each([
  ["OUTDIAL_API_URL", "http://127.0.0.1:9/?token=S3CRET"],
  ["PLATFORM_BASE_URL", "https://voice.example.com/#S3CRET"],
])("%s with a query or fragment is refused by its name, and not shown", async (name, value) => {
  expect(await refusedWith({ [name]: value })).toContain(`${name} must not hold a query or a fragment`);
});

it.each(["a S3CRET", "S3CRET\u00e4", "S3CRET\u0007"])(
  "a platform key that no header can carry is refused in our words (%j)",
  async (key) => {
    for (const args of [["doctor"], ["platform", "agents", "list"]]) {
      const said = await refusedWith({ PLATFORM_API_KEY: key }, args);
      expect(said).toContain("PLATFORM_API_KEY must be made of visible ASCII characters");
      expect(said).not.toContain("invalid platform client options");
    }
  },
);

it("a token that no header can carry is refused by its name", async () => {
  expect(await refusedWith({ OUTDIAL_API_TOKEN: "S3CRETS3CRETS3CRET\u00e4" })).toContain("OUTDIAL_API_TOKEN");
});
