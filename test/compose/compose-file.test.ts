import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { DCLinter } from "dclint";
import { describe, expect, it, onTestFinished } from "vitest";

import { SETTING_DOCS } from "../../src/config.ts";
import { CLOSE_WITHIN_MS } from "../../src/http/app.ts";
import { DRAIN_BOUND_MS } from "../../src/temporal/workers.ts";
import { COMPOSE_FILE, envExampleNames, interpolate, readCompose, readText } from "./services.ts";

const { services, volumes } = readCompose();
const all = Object.entries(services);
const own = all.filter(([, service]) => service.build !== undefined);
const SECRET_NAME = /PASSWORD|PWD|TOKEN|KEY|DATABASE_URL/;

/** An image by its content: whoever moves the tag changes nothing here. */
const BY_DIGEST = /^[\w./-]+:[\w.-]+@sha256:[\da-f]{64}$/;

describe("docker-compose.yml", () => {
  it("is what Compose takes, by its own schema", async () => {
    const style = ["service-keys-order", "services-alphabetical-order", "top-level-properties-order"];
    // Quotes are YAML's affair; our own image is built here, and called something.
    const ours = ["require-quotes-in-ports", "no-build-and-image", "service-image-require-explicit-tag"];
    const linter = new DCLinter({
      rules: Object.fromEntries([...style, ...ours].map((rule) => [rule, 0 as const])),
      quiet: false,
      debug: false,
      exclude: [],
    });
    expect(
      linter
        .lintFiles([COMPOSE_FILE], false)
        .flatMap(({ messages }: { messages: readonly unknown[] }) => messages),
    ).toEqual([]);
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-compose-"));
    onTestFinished(() => {
      fs.rmSync(folder, { recursive: true, force: true });
    });
    const broken = path.join(folder, "docker-compose.yml");
    fs.writeFileSync(broken, fs.readFileSync(COMPOSE_FILE, "utf8").replace("mem_limit:", "memory_limit:"));
    expect(linter.lintFiles([broken], false)[0]?.messages[0]).toMatchObject({ rule: "invalid-schema" });
  });

  it("starts Temporal with its database and page, the ledger's database, worker, server and, if asked, the sandbox", () => {
    expect(Object.keys(services).sort()).toEqual(
      ["ledger-db", "sandbox", "server", "temporal", "temporal-db", "temporal-ui", "worker"].sort(),
    );
    expect(Object.keys(volumes).sort()).toEqual([
      "ledger-data",
      "platform-key",
      "recordings",
      "temporal-data",
    ]);
  });

  it("gives our processes only settings that exist", () => {
    const known = new Set(
      SETTING_DOCS.flatMap(({ name, secret }) => (secret === true ? [name, `${name}_FILE`] : [name])),
    );
    for (const [, { environment }] of own) {
      expect(Object.keys(environment).filter((name) => !known.has(name))).toEqual([]);
    }
  });

  it("holds no secret, and does not start without those that it needs", () => {
    for (const [name, { environment }] of all) {
      for (const [variable, value] of Object.entries(environment)) {
        if (variable.endsWith("_FILE")) continue;
        if (SECRET_NAME.test(variable)) expect(value, `${variable} of ${name}`).toMatch(/\$\{[A-Z_]+:\?/);
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
    expect(required.filter((name) => !named.has(name))).toEqual([]);
  });

  it("keeps what it is given out of commits and images", () => {
    for (const ignored of [readText(".gitignore"), readText(".dockerignore")])
      for (const name of [".env", "outdial.env", "secrets", "lists"])
        expect(
          ignored.split("\n").map((line) => line.replaceAll("/", "")),
          name,
        ).toContain(name);
  });

  it("opens ports to this machine alone", () => {
    for (const port of Object.values(services).flatMap(({ ports }) => ports))
      expect(port).toMatch(/^127\.0\.0\.1:/);
  });
});

describe("what worker and server find", () => {
  const both = ["worker", "server"].map((name) => services[name]);

  it("is the platform's key in a place of its own that they may write to, so that it can be rotated", () => {
    for (const service of both) {
      const file = service?.environment["PLATFORM_API_KEY_FILE"] ?? "";
      expect(service?.environment).not.toHaveProperty("PLATFORM_API_KEY");
      // A file that is mounted by itself, or a folder that is read only, can't be written anew.
      expect(service?.volumes).toContain(`platform-key:${path.posix.dirname(file)}`);
      expect(readText("Dockerfile")).toMatch(/install -d -o node -g node -m 0700 .*\/key\b/);
    }
    expect(services["sandbox"]?.volumes).toEqual(["platform-key:/key:ro"]);
  });

  it("is the secrets that rules name, lists, one place for recordings, and any other setting", () => {
    for (const service of both) {
      const { environment = {}, volumes: mounts = [], env_file = [] } = service ?? {};
      expect(mounts).toEqual([
        "platform-key:/key",
        `./secrets:${environment["OUTDIAL_SECRETS_DIR"]}:ro`,
        `./lists:${environment["OUTDIAL_LISTS_DIR"]}:ro`,
        `recordings:${environment["OUTDIAL_RECORDINGS_DIR"]}`,
      ]);
      // Databases are settings whose names nobody knows beforehand.
      expect(env_file).toEqual([{ path: "outdial.env", required: false }]);
    }
  });

  it("is any other setting of outdial.env: what may stay unset is not set to nothing before it", () => {
    for (const service of both) {
      const set = Object.entries(service?.environment ?? {});
      expect(set.filter(([, text]) => text.endsWith(":-}")).map(([name]) => name)).toEqual([]);
      const names = set.map(([name]) => name);
      for (const name of [
        "OUTDIAL_OUTBOUND_ALLOW",
        "PLATFORM_WS_URL",
        "OUTDIAL_HOOK_TOKEN",
        "OUTDIAL_LOG_LEVEL",
      ])
        expect(names).not.toContain(name);
      // As Temporal with client certificates needs it.
      expect(names.filter((name) => name.startsWith("TEMPORAL_"))).toEqual(["TEMPORAL_ADDRESS"]);
    }
  });

  it("is another Temporal and another PostgreSQL where .env names them, and those beside it otherwise", () => {
    for (const service of both) {
      const { DATABASE_URL = "", TEMPORAL_ADDRESS = "" } = service?.environment ?? {};
      const own = { LEDGER_DB_PASSWORD: "a-password" };
      expect(interpolate(DATABASE_URL, own)).toBe("postgres://outdial:a-password@ledger-db:5432/outdial");
      expect(interpolate(TEMPORAL_ADDRESS, own)).toBe("temporal:7233");
      const others = {
        DATABASE_URL: "postgres://o@db.internal/outdial",
        TEMPORAL_ADDRESS: "t.tmprl.cloud:7233",
      };
      expect(interpolate(DATABASE_URL, others)).toBe(others.DATABASE_URL);
      expect(interpolate(TEMPORAL_ADDRESS, others)).toBe(others.TEMPORAL_ADDRESS);
    }
  });
});

describe("every container", () => {
  it.each(all)(
    "%s has no right that it does not need, and no disk or memory without a bound",
    (_name, service) => {
      expect(service.security_opt).toEqual(["no-new-privileges:true"]);
      expect(service.cap_drop).toEqual(["ALL"]);
      expect(service.cap_add).toEqual([]);
      expect(service.privileged).toBe(false);
      expect(service.mem_limit).toMatch(/^\d+[mg]$/);
      expect(service.pids_limit).toBeGreaterThan(0);
      expect(service.logging).toEqual({
        driver: "json-file",
        options: { "max-size": expect.stringMatching(/^\d+m$/), "max-file": expect.stringMatching(/^\d+$/) },
      });
      expect(service.restart).toBe("unless-stopped");
    },
  );

  it.each(all)("%s writes to its volumes alone, but for those that configure themselves", (name, service) => {
    const isTemporals = name === "temporal" || name === "temporal-ui";
    expect(service.read_only).toBe(!isTemporals);
    if (!isTemporals) expect(service.tmpfs).toContain("/tmp");
    expect(service.volumes.every((mount) => !mount.includes("docker.sock"))).toBe(true);
  });

  it.each(all)("%s is an image by its digest, and nobody's root", (name, { image, build, user }) => {
    if (build === undefined) expect(image).toMatch(BY_DIGEST);
    else expect(readText("Dockerfile")).toMatch(/^USER node$/m);
    // The images of Temporal have users of their own.
    if (name.endsWith("-db")) expect(user).toBe("999:999");
  });

  it("is made from an image by its digest", () => {
    const from = [...readText("Dockerfile").matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
    expect(from).toHaveLength(2);
    expect(new Set(from).size).toBe(1);
    expect(from[0]).toMatch(BY_DIGEST);
    // A frontend would be an image more.
    expect(readText("Dockerfile")).not.toContain("# syntax");
  });

  it("has longer to end than what it does at its end may take", () => {
    const seconds = (name: string) => Number(/^(\d+)s$/.exec(services[name]?.stop_grace_period ?? "")?.[1]);
    /** Its pulse, what goes on beside dialing and serving, connections: some seconds each. */
    const besidesSeconds = 25;
    expect(seconds("server")).toBeGreaterThan(CLOSE_WITHIN_MS / 1_000 + besidesSeconds);
    expect(seconds("worker")).toBeGreaterThan(DRAIN_BOUND_MS / 1_000 + besidesSeconds);
    // What people are told for supervisors of their own.
    const told = readText("docs/operations.md");
    expect(told).toContain(`supervisors give it ${seconds("worker")} seconds`);
    expect(told).toContain(`supervisors give it ${seconds("server")}.`);
    for (const name of ["ledger-db", "temporal-db"]) expect(seconds(name)).toBeGreaterThanOrEqual(60);
  });
});

describe("what says that a service is well", () => {
  it("is there for each; ours have the image's own check, but for the sandbox, which keeps nothing", () => {
    for (const [name, { build, healthcheck }] of all) {
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

  it("takes no Temporal for well that says that it does not serve", () => {
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-compose-"));
    onTestFinished(() => {
      fs.rmSync(folder, { recursive: true, force: true });
    });
    const [kind, command = ""] = services["temporal"]?.healthcheck?.test ?? [];
    expect(kind).toBe("CMD-SHELL");
    const exitCodeWhere = (says: string): number | null => {
      for (const [program, script] of [
        ["temporal", `echo '${says}'`],
        ["hostname", "echo 10.0.0.2"],
      ] as const)
        fs.writeFileSync(path.join(folder, program), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
      // As Compose gives it to the shell.
      return spawnSync("/bin/sh", ["-c", command.replaceAll("$$", "$")], {
        env: { PATH: `${folder}:/usr/bin:/bin` },
      }).status;
    };
    expect(exitCodeWhere("SERVING")).toBe(0);
    for (const says of ["NOT_SERVING", "UNKNOWN", "SERVICE_UNKNOWN", ""])
      expect(exitCodeWhere(says), says).toBe(1);
  });

  it("asks databases over TCP: while they are being set up they answer at their sockets alone", () => {
    for (const name of ["ledger-db", "temporal-db"])
      expect(services[name]?.healthcheck?.test?.join(" ")).toContain("pg_isready -h 127.0.0.1 ");
  });

  it("is, in our image, a script that loads neither settings nor commands", () => {
    const [, command] = /^HEALTHCHECK .*CMD (.*)$/m.exec(readText("Dockerfile")) ?? [];
    expect(command).toBe('node dist/health-check.js "$OUTDIAL_DATA_DIR"');
  });
});
