import { describe, expect, it } from "vitest";

import { ConfigError, readConfig } from "../../src/config.ts";

describe("the settings of webhooks and secrets", () => {
  it("are closed where nothing is set", () => {
    const config = readConfig({ OUTDIAL_DATA_DIR: "/data" });
    expect(config.outboundAllow).toEqual([]);
    expect(config.hookTokens).toEqual([]);
    expect(config.secrets).toEqual({ dir: undefined, variables: {}, files: {}, brands: new Map() });
    expect(config.recordingsDir).toBe("/data/recordings");
  });

  it("tell secrets from the files that hold them, and both from the folder", () => {
    const { secrets } = readConfig({
      OUTDIAL_SECRETS_DIR: "/run/secrets",
      OUTDIAL_SECRET_CRM_2: "value",
      OUTDIAL_SECRET_HUBSPOT_FILE: "/run/hubspot",
      OUTDIAL_SECRET_EMPTY: "",
      OUTDIAL_BRANDS_OF_SECRETS: "crm-2=acme, crm-2=beta",
    });
    expect(secrets).toEqual({
      dir: "/run/secrets",
      variables: { CRM_2: "value" },
      files: { HUBSPOT: "/run/hubspot" },
      brands: new Map([["CRM_2", new Set(["acme", "beta"])]]),
    });
  });

  it("take lists", () => {
    const config = readConfig({
      OUTDIAL_OUTBOUND_ALLOW: " n8n.internal, 10.0.0.0/8,,",
      OUTDIAL_HOOK_TOKEN: `${"a".repeat(24)}  ${"b".repeat(24)} `,
      OUTDIAL_RECORDINGS_DIR: "/recordings",
    });
    expect(config.outboundAllow).toEqual(["n8n.internal", "10.0.0.0/8"]);
    expect(config.hookTokens).toEqual(["a".repeat(24), "b".repeat(24)]);
    expect(config.recordingsDir).toBe("/recordings");
  });

  it.each([
    ["OUTDIAL_BRANDS_OF_SECRETS", "crm", 'has "crm", which is not a secret'],
    ["OUTDIAL_OUTBOUND_ALLOW", "http://n8n.internal", '"http://n8n.internal" is not a host name'],
    ["OUTDIAL_HOOK_TOKEN", `${"a".repeat(24)} short`, "24 characters or more"],
    ["OUTDIAL_HOOK_TOKEN", "hidden/hidden/hidden/hidden", "it stands in an address"],
  ])("%s=%s is refused", (name, value, told) => {
    const read = () => readConfig({ [name]: value });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(told);
    if (name === "OUTDIAL_HOOK_TOKEN") expect(read).not.toThrow(/short|hidden/);
  });

  it("name databases, but for the one that is a setting of its own", () => {
    const config = readConfig({
      OUTDIAL_DATA_DIR: "/data",
      OUTDIAL_DATABASE_CONNECTIONS: "20",
      OUTDIAL_DATABASE_CRM_2: "postgres://reader:hidden@crm.internal/crm",
    });
    expect(config.databaseConnections).toBe(20);
    expect(config.lists).toEqual({
      dir: "/data/lists",
      spoolDir: "/data/spool",
      databases: { CRM_2: "postgres://reader:hidden@crm.internal/crm" },
    });
    const wrong = () => readConfig({ OUTDIAL_DATABASE_CRM: "mysql://reader:hidden@crm.internal" });
    expect(wrong).toThrow("OUTDIAL_DATABASE_CRM must be a postgres:// address");
    expect(wrong).not.toThrow("hidden");
    expect(() => readConfig({ OUTDIAL_DATABASE_CRM_FILE: "/not/there" })).toThrow(
      "OUTDIAL_DATABASE_CRM_FILE names a file",
    );
  });
});
