import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { ConfigError, readConfig, type Config } from "../../src/config.ts";
import { createAuthority, type Authority, type Issued } from "../support/certificates.ts";

let folder: string;
let authority: Authority;
let client: Issued;
let other: Issued;
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-temporal-settings-"));
  authority = createAuthority(folder, "authority");
  client = authority.issue("client");
  other = authority.issue("other");
});
afterAll(() => {
  fs.rmSync(folder, { recursive: true, force: true });
});

function temporalOf(environment: Record<string, string>): Config["temporal"] {
  return readConfig({ HOME: folder, ...environment }).temporal;
}

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig({ HOME: folder, ...environment });
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  throw new Error("these settings have no problem");
}

const ADDRESS = { TEMPORAL_ADDRESS: "temporal.internal:7233" };

describe("where Temporal is", () => {
  it("is nowhere, with nothing to show there, where nothing is set", () => {
    expect(temporalOf({})).toMatchObject({ address: undefined, namespace: "default", access: {} });
  });

  it("is what the variables of Temporal's own tools say, in the clear unless TLS or a key is named", () => {
    expect(temporalOf({ ...ADDRESS, TEMPORAL_NAMESPACE: "calls" })).toMatchObject({
      address: "temporal.internal:7233",
      namespace: "calls",
      access: {},
    });
    expect(temporalOf({ TEMPORAL_ADDRESS: "[::1]:7233" }).address).toBe("[::1]:7233");
    expect(temporalOf({ ...ADDRESS, TEMPORAL_TLS: "true" }).access).toEqual({ tls: {} });
    expect(temporalOf({ ...ADDRESS, TEMPORAL_API_KEY: "k" }).access).toEqual({ tls: {}, apiKey: "k" });
    expect(temporalOf({ ...ADDRESS, TEMPORAL_API_KEY: "k", TEMPORAL_TLS: "0" }).access).toEqual({
      apiKey: "k",
    });
    const named = { TEMPORAL_TLS_SERVER_NAME: "inside", TEMPORAL_TLS_DISABLE_HOST_VERIFICATION: "false" };
    expect(temporalOf({ ...ADDRESS, ...named }).access).toEqual({ tls: { serverName: "inside" } });
    expect(temporalOf({ ...ADDRESS, TEMPORAL_TLS_DISABLE_HOST_VERIFICATION: "false" }).access).toEqual({});
    expect(temporalOf({ ...ADDRESS, TEMPORAL_GRPC_META_X_TEAM: "renewals" }).access).toEqual({
      metadata: { "x-team": "renewals" },
    });
  });

  it("has certificates and keys from files, or as they are, and a key's file by its own name, too", () => {
    const tls = {
      caCertificates: authority.ca,
      client: { certificate: client.cert, key: client.key },
    };
    const paths = {
      TEMPORAL_TLS_SERVER_CA_CERT_PATH: authority.caFile,
      TEMPORAL_TLS_CLIENT_CERT_PATH: client.certFile,
      TEMPORAL_TLS_CLIENT_KEY_PATH: client.keyFile,
    };
    expect(temporalOf({ ...ADDRESS, ...paths }).access).toEqual({ tls });
    const data = {
      TEMPORAL_TLS_SERVER_CA_CERT_DATA: authority.ca,
      TEMPORAL_TLS_CLIENT_CERT_DATA: client.cert,
      TEMPORAL_TLS_CLIENT_KEY_DATA: client.key,
    };
    expect(temporalOf({ ...ADDRESS, ...data }).access).toEqual({ tls });
    const { TEMPORAL_TLS_CLIENT_KEY_DATA: _key, ...rest } = data;
    const byFile = temporalOf({ ...ADDRESS, ...rest, TEMPORAL_TLS_CLIENT_KEY_DATA_FILE: client.keyFile });
    expect(byFile.access.tls?.client?.key).toBe(client.key.trim());
  });

  it("comes from a profile where one is named, behind the variables", () => {
    const file = path.join(folder, "temporal.toml");
    fs.writeFileSync(
      file,
      `[profile.default]
address = "first.internal:7233"
[profile.production]
address = "second.internal:7233"
namespace = "production"
api_key = "a-key"
[profile.production.tls]
server_name = "second"
server_ca_cert_path = ${JSON.stringify(authority.caFile)}
[profile.production.grpc_meta]
x-team = "renewals"
`,
    );
    const named = { TEMPORAL_CONFIG_FILE: file, TEMPORAL_PROFILE: "production" };
    expect(temporalOf(named)).toMatchObject({
      address: "second.internal:7233",
      namespace: "production",
      access: {
        apiKey: "a-key",
        tls: { serverName: "second", caCertificates: authority.ca },
        metadata: { "x-team": "renewals" },
      },
    });
    expect(temporalOf({ TEMPORAL_CONFIG_FILE: file }).address).toBe("first.internal:7233");
    expect(
      temporalOf({ ...named, ...ADDRESS, TEMPORAL_NAMESPACE: "other", TEMPORAL_PROFILE: "" }),
    ).toMatchObject({
      address: "temporal.internal:7233",
      namespace: "other",
      access: {},
    });

    const usual = path.join(folder, ".config", "temporalio");
    fs.mkdirSync(usual, { recursive: true });
    fs.copyFileSync(file, path.join(usual, "temporal.toml"));
    // On macOS the usual place is another.
    if (process.platform === "linux")
      expect(temporalOf({ TEMPORAL_PROFILE: "production" }).address).toBe("second.internal:7233");
    expect(temporalOf({}).address, "nobody named the file or a profile").toBeUndefined();
  });
});

describe("what is wrong with Temporal's settings", () => {
  it("is told all at once, together with everything else, by its variable", () => {
    const problems = problemsOf({
      OUTDIAL_API_PORT: "x",
      TEMPORAL_ADDRESS: "nowhere",
      TEMPORAL_TLS: "perhaps",
      TEMPORAL_TLS_DISABLE_HOST_VERIFICATION: "true",
      TEMPORAL_TLS_SERVER_CA_CERT_PATH: "/nowhere/ca.pem",
      TEMPORAL_TLS_CLIENT_CERT_PATH: client.certFile,
      OUTDIAL_DATABASE_CRM: "mysql://x",
    }).join("\n");
    expect(problems).toContain("OUTDIAL_API_PORT");
    expect(problems).toMatch(/TEMPORAL_ADDRESS must be host:port/);
    expect(problems).toMatch(/TEMPORAL_TLS must be true or false/);
    expect(problems).toMatch(/TEMPORAL_TLS_DISABLE_HOST_VERIFICATION must be false: .* always verified/);
    expect(problems).toMatch(
      /TEMPORAL_TLS_SERVER_CA_CERT_PATH names a file that can't be read .*\/nowhere\/ca\.pem/,
    );
    expect(problems).toMatch(
      /TEMPORAL_TLS_CLIENT_KEY_PATH must be set where TEMPORAL_TLS_CLIENT_CERT_PATH is/,
    );
    expect(problems).toContain("OUTDIAL_DATABASE_CRM");
    expect(problems, "the address is there, though it is wrong").not.toMatch(/TEMPORAL_ADDRESS must be set/);
  });

  it.each([
    [
      "a key of another certificate",
      () => ({ TEMPORAL_TLS_CLIENT_KEY_PATH: other.keyFile }),
      /CLIENT_KEY_PATH has the key of another certificate than TEMPORAL_TLS_CLIENT_CERT_PATH/,
    ],
    [
      "no key at all",
      () => ({ TEMPORAL_TLS_CLIENT_KEY_PATH: client.certFile }),
      /CLIENT_KEY_PATH has no key in PEM/,
    ],
    [
      "a key for a certificate",
      () => ({ TEMPORAL_TLS_CLIENT_CERT_PATH: client.keyFile }),
      /CLIENT_CERT_PATH has no certificate in PEM/,
    ],
    [
      "a file and its content",
      () => ({ TEMPORAL_TLS_CLIENT_CERT_DATA: client.cert }),
      /Cannot specify both client_cert_path and client_cert_data/,
    ],
    [
      "a file that is not there",
      () => ({ TEMPORAL_CONFIG_FILE: "/nowhere/temporal.toml" }),
      /TEMPORAL_CONFIG_FILE names \/nowhere\/temporal\.toml, and there is no such file/,
    ],
    [
      "a profile that is not there",
      () => ({ TEMPORAL_PROFILE: "elsewhere" }),
      /Profile 'elsewhere' not found .*elsewhere of the usual temporal\.toml/,
    ],
  ])("such as %s", (_what, changes, told) => {
    const pair = {
      TEMPORAL_TLS_CLIENT_CERT_PATH: client.certFile,
      TEMPORAL_TLS_CLIENT_KEY_PATH: client.keyFile,
    };
    expect(problemsOf({ ...ADDRESS, ...pair, ...changes() }).join("\n")).toMatch(told);
  });

  it("is that a key or TLS is for nobody, where there is no address", () => {
    expect(problemsOf({ TEMPORAL_API_KEY: "a-secret-key" })).toEqual([
      expect.stringMatching(/TEMPORAL_ADDRESS must be set where TEMPORAL_API_KEY is/),
    ]);
    expect(problemsOf({ TEMPORAL_TLS: "1" })).toEqual([expect.stringMatching(/where TEMPORAL_TLS is/)]);
  });

  it("never shows a secret, nor a line of a file that may be one", () => {
    const file = path.join(folder, "broken.toml");
    fs.writeFileSync(file, `[profile.default]\napi_key = "top-secret\naddress = 3\n`);
    const unknown = path.join(folder, "unknown.toml");
    fs.writeFileSync(unknown, `[profile.default]\napi_key = "top-secret"\ndial_twice = true\n`);
    const said = [
      ...problemsOf({ TEMPORAL_CONFIG_FILE: file }),
      ...problemsOf({ TEMPORAL_CONFIG_FILE: unknown }),
      ...problemsOf({
        ...ADDRESS,
        TEMPORAL_TLS_CLIENT_CERT_DATA: "x",
        TEMPORAL_TLS_CLIENT_KEY_DATA: "top-secret",
      }),
    ].join("\n");
    expect(said).toContain("dial_twice");
    expect(said).toContain(file);
    expect(said).not.toContain("top-secret");
  });
});
