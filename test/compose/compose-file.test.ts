import { describe, expect, it } from "vitest";

import { SETTING_DOCS } from "../../src/config.ts";
import { envExampleNames, interpolate, readCompose } from "./services.ts";

const { services, secrets, volumes } = readCompose();
const own = Object.entries(services).filter(([, service]) => service.build !== undefined);
const SECRET_NAME = /PASSWORD|PWD|TOKEN|KEY|DATABASE_URL/;

describe("docker-compose.yml", () => {
  it("starts Temporal with its database and page, the ledger's database, worker, server and, if asked, the sandbox", () => {
    expect(Object.keys(services).sort()).toEqual(
      ["ledger-db", "sandbox", "server", "temporal", "temporal-db", "temporal-ui", "worker"].sort(),
    );
    expect(Object.keys(volumes).sort()).toEqual(["ledger-data", "recordings", "temporal-data"]);
  });

  it("gives our processes only settings that exist", () => {
    const known = new Set(SETTING_DOCS.map(({ name }) => name));
    for (const [, { environment }] of own) {
      expect(Object.keys(environment).filter((name) => !known.has(name))).toEqual([]);
    }
  });

  it("holds no secret, and does not start without those that it needs", () => {
    for (const [name, { environment }] of Object.entries(services)) {
      for (const [variable, value] of Object.entries(environment)) {
        // Without a hook's token there is no hook: it alone may be empty.
        const wanted = variable === "OUTDIAL_HOOK_TOKEN" ? /^\$\{[A-Z_]+:-\}$/ : /\$\{[A-Z_]+:\?/;
        if (SECRET_NAME.test(variable)) expect(value, `${variable} of ${name}`).toMatch(wanted);
      }
    }
    for (const text of Object.values(services).flatMap(({ environment }) => Object.values(environment))) {
      if (text.includes(":?")) expect(() => interpolate(text, {})).toThrow(/set it in \.env/);
    }
  });

  it("asks for nothing that .env.example does not name", () => {
    const named = new Set(envExampleNames());
    const required = Object.values(services)
      .flatMap(({ environment }) => Object.values(environment))
      .flatMap((text) => [...text.matchAll(/\$\{([A-Z_]+):\?/g)].map(([, name = ""]) => name));
    expect(
      [...required, ...Object.values(secrets).map(({ environment }) => environment)].filter(
        (name) => !named.has(name),
      ),
    ).toEqual([]);
  });

  it("knows when each service is well; ours have the image's own check, but for the sandbox, which keeps nothing", () => {
    for (const [name, { build, healthcheck }] of Object.entries(services)) {
      if (build === undefined) expect(healthcheck?.test, name).toBeDefined();
      else expect(healthcheck?.disable ?? false, name).toBe(name === "sandbox");
    }
    for (const { depends_on } of Object.values(services)) {
      for (const [name, { condition }] of Object.entries(depends_on)) {
        expect(Object.keys(services)).toContain(name);
        expect(condition).toBe("service_healthy");
      }
    }
  });

  it("gives worker and server the secrets that rules name, and one place for recordings", () => {
    for (const name of ["worker", "server"]) {
      const { environment = {}, volumes: mounts = [] } = services[name] ?? {};
      expect(mounts).toEqual([
        `./secrets:${environment["OUTDIAL_SECRETS_DIR"]}:ro`,
        `recordings:${environment["OUTDIAL_RECORDINGS_DIR"]}`,
      ]);
      expect(environment["OUTDIAL_OUTBOUND_ALLOW"]).toBe("${OUTDIAL_OUTBOUND_ALLOW:-}");
    }
  });

  it("opens ports to this machine alone", () => {
    for (const port of Object.values(services).flatMap(({ ports }) => ports))
      expect(port).toMatch(/^127\.0\.0\.1:/);
  });
});
