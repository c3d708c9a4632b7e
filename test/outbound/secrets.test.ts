import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { inspect } from "node:util";

import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

import {
  UnknownSecretError,
  UnusableSecretError,
  readSecretBrands,
} from "../../src/domain/ground/secrets.ts";
import { createSecretStore } from "../../src/outbound/secrets.ts";
import { signDelivery } from "../../src/outbound/sign.ts";

let dir: string;

const NOBODYS = { brands: new Map() };

beforeEach(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-secrets-"));
});

afterEach(() => {
  fs.rmSync(dir, { recursive: true, force: true });
});

const put = (name: string, text: string) => {
  const file = path.join(dir, name);
  fs.writeFileSync(file, text);
  return file;
};

describe("a secret", () => {
  it("comes from its variable, else the variable's file, else the folder", () => {
    const file = put("elsewhere", "from its own file\n");
    put("crm-2", "from the folder");
    const all = { ...NOBODYS, dir, variables: { CRM_2: "from the variable" }, files: { CRM_2: file } };
    expect(createSecretStore(all).read("crm-2", "every")).toEqual(["from the variable"]);
    expect(createSecretStore({ ...all, variables: {} }).read("crm-2", "every")).toEqual([
      "from its own file",
    ]);
    expect(createSecretStore({ ...NOBODYS, dir, variables: {}, files: {} }).read("crm-2", "every")).toEqual([
      "from the folder",
    ]);
  });

  it("has several values while it is rotated, newest first, and a new file needs no restart", () => {
    let nowMs = 1_000;
    const store = createSecretStore({ ...NOBODYS, dir, variables: {}, files: {} }, () => nowMs);
    put("crm", "old\n");
    expect(store.read("crm", "every")).toEqual(["old"]);
    put("crm", "\r\nnew\r\n  old  \n\n");
    expect(store.read("crm", "every")).toEqual(["old"]);
    nowMs += 5_000;
    expect(store.read("crm", "every")).toEqual(["new", "old"]);
    fs.rmSync(path.join(dir, "crm"));
    nowMs -= 60_000;
    expect(() => store.read("crm", "every")).toThrow(UnknownSecretError);
  });

  it("of another brand is not read, by no spelling, and not because it was just read for its own", () => {
    const brands = readSecretBrands("crm-2=acme");
    if (typeof brands === "string") throw new Error(brands);
    const store = createSecretStore({ dir: undefined, variables: { CRM_2: "acmes" }, files: {}, brands });
    for (const name of ["crm-2", "crm_2"]) {
      expect(store.read(name, ["acme"])).toEqual(["acmes"]);
      expect(() => store.read(name, ["beta"])).toThrow(
        `there is no secret "${name}" for brand beta: name one that is, or let OUTDIAL_BRANDS_OF_SECRETS give it this one`,
      );
      expect(() => store.read(name, [])).toThrow(/for what names no brand/);
      expect(store.read(name, "every")).toEqual(["acmes"]);
    }
  });

  it("that nobody gave is told with what to set or to create", () => {
    expect(() =>
      createSecretStore({ ...NOBODYS, dir, variables: {}, files: {} }).read("crm-2", "every"),
    ).toThrow(`create ${path.join(dir, "crm-2")}, or set OUTDIAL_SECRET_CRM_2 or OUTDIAL_SECRET_CRM_2_FILE`);
    expect(() =>
      createSecretStore({ ...NOBODYS, dir: undefined, variables: {}, files: {} }).read("crm-2", "every"),
    ).toThrow("OUTDIAL_SECRETS_DIR");
  });

  it.each(["../crm", "a/b", "..", ".", "", "Crm", "crm.old", "crm\0", "-crm", "a".repeat(64)])(
    "can't be named %j",
    (name) => {
      fs.writeFileSync(path.join(path.dirname(dir), "crm-outside"), "outside");
      expect(() =>
        createSecretStore({ ...NOBODYS, dir, variables: {}, files: {} }).read(name, "every"),
      ).toThrow(UnknownSecretError);
      fs.rmSync(path.join(path.dirname(dir), "crm-outside"));
    },
  );

  it.each([
    ["empty", () => put("crm", " \n\n"), "is empty"],
    ["a folder", () => fs.mkdirSync(path.join(dir, "crm")), "EISDIR"],
    ["an endless device", () => fs.symlinkSync("/dev/zero", path.join(dir, "crm")), "is not a file"],
    ["no secret but a large file", () => put("crm", "hidden".repeat(5_000)), "more than 16384 bytes"],
    ["a list", () => put("crm", "hidden\n".repeat(11)), "11 lines"],
  ])("that is %s is refused, and not shown", (_what, make, told) => {
    make();
    const store = createSecretStore({ ...NOBODYS, dir, variables: {}, files: {} });
    let thrown: unknown;
    try {
      store.read("crm", "every");
    } catch (error) {
      thrown = error;
    }
    expect(thrown).toBeInstanceOf(UnknownSecretError);
    expect(inspect(thrown)).toMatch(told === "EISDIR" ? /EISDIR|is not a file/ : told);
    expect(inspect(thrown)).not.toContain("hidden");
  });
});

describe("a signed delivery", () => {
  const delivery = { id: "msg_1", timestampMs: Date.now(), body: '{"name":"Zoë"}' };
  const encoded = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

  it("is accepted by who has any of the keys, in either form", () => {
    const headers = signDelivery({ name: "crm", values: ["plain text of a key", encoded] }, delivery);
    expect(headers["webhook-signature"].split(" ")).toHaveLength(2);
    expect(headers["webhook-id"]).toBe("msg_1");
    for (const webhook of [new Webhook(encoded), new Webhook("plain text of a key", { format: "raw" })]) {
      expect(webhook.verify(delivery.body, { ...headers })).toEqual({ name: "Zoë" });
    }
    expect(() => new Webhook("bm90IGl0").verify(delivery.body, { ...headers })).toThrow("No matching");
  });

  it("has the signature of the specification's example", () => {
    const headers = signDelivery(
      { name: "crm", values: [encoded] },
      { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestampMs: 1_614_265_330_999, body: '{"test": 2432232314}' },
    );
    expect(headers).toEqual({
      "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    });
  });

  it.each(["whsec_", "whsec_not base64!", "whsec_abc*", "whsk_abcd", "whpk_abcd"])(
    "is not made with the key %s, which is not shown",
    (value) => {
      const sign = () => signDelivery({ name: "crm", values: [value] }, delivery);
      expect(sign).toThrow(UnusableSecretError);
      expect(sign).toThrow(/secret "crm"/);
      expect(sign).not.toThrow(value.slice(6) || "nothing");
    },
  );
});
