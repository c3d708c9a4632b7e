import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";

import { SETTING_DOCS } from "../../src/config.ts";
import { METRICS } from "../../src/telemetry/metric-table.ts";
import { helm, kubernetesSchemas, say } from "../support/deploy-tools.ts";
import { given } from "../support/ledgers.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const chart = path.join(root, "deploy/helm/outdial");
const VALUES = ["plain", "everything", "keda"] as const;

/** The newest whose schemas are here; and the oldest that the chart is for, with all that it can make. */
const KUBERNETES = { plain: ["1.37"], everything: ["1.27", "1.37"], keda: ["1.37"] };

interface Container {
  args: string[];
  env: { name: string; value?: string; valueFrom?: object }[];
  securityContext: object;
  volumeMounts?: object[];
  resources: { limits: { memory: string } };
}
interface Manifest {
  kind: string;
  metadata: { name: string; annotations?: Record<string, string> };
  spec: {
    template?: { spec: { containers: Container[]; volumes?: object[]; securityContext: object } };
    scaleTargetRef?: { name: string };
  };
}

interface Schema {
  properties: { settings: { propertyNames: { not: { pattern: string; not: { const: string } } } } };
}

const valuesOf = (name: string) => path.join(chart, "ci", `${name}-values.yaml`);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "outdial-chart-"));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

function render(name: string, ...more: string[]) {
  const args = ["template", "calls", chart, "-n", "calls", "--kube-version", "v1.33.0", "-f", valuesOf(name)];
  return say(given(helm), [...args, ...more]);
}

const manifestsOf = (text: string) =>
  parseAllDocuments(text).flatMap((document) => (document.toJSON() as Manifest | null) ?? []);

describe.skipIf(helm === undefined)("the Helm chart", () => {
  it.each(VALUES)("is without fault for helm with the values %s", (name) => {
    expect(say(given(helm), ["lint", chart, "--strict", "-f", valuesOf(name)])).toMatchObject({ code: 0 });
  });

  it.skipIf(kubernetesSchemas === undefined).each(VALUES)(
    "makes what Kubernetes' schemas allow with the values %s",
    (name) => {
      const { code, text } = render(name);
      expect(code, text).toBe(0);
      // Those of other projects are not in the package.
      const ours = manifestsOf(text).filter(
        ({ kind }) => !["PodMonitor", "PrometheusRule", "ScaledObject"].includes(kind),
      );
      const file = path.join(folder, `${name}.yaml`);
      fs.writeFileSync(file, ours.map((manifest) => `---\n${JSON.stringify(manifest)}\n`).join(""));
      for (const version of KUBERNETES[name]) {
        const run = "import sys; from kubernetes_validate.__main__ import main; sys.exit(main())";
        const told = say("python3", ["-c", run, "-k", version, "--strict", file], {
          env: { ...process.env, PYTHONPATH: given(kubernetesSchemas) },
        });
        expect(told, told.text).toMatchObject({ code: 0 });
        expect(told.text.match(/passed for resource/g)).toHaveLength(ours.length);
      }
    },
  );

  it.each(VALUES)(
    "lets no container be root, write to its image or take all memory, with the values %s",
    (name) => {
      const made = manifestsOf(render(name).text).flatMap(({ spec }) => spec?.template?.spec ?? []);
      expect(made.length).toBeGreaterThanOrEqual(2);
      for (const { containers, securityContext } of made) {
        expect(securityContext).toMatchObject({
          runAsNonRoot: true,
          seccompProfile: { type: "RuntimeDefault" },
        });
        for (const container of containers) {
          expect(container.securityContext).toEqual({
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ["ALL"] },
          });
          expect(container.resources.limits.memory).toMatch(/^\d+Mi$/);
        }
      }
    },
  );

  it("gives settings that there are, secrets from Secrets alone, and the owner's database to the migration alone", () => {
    const known = new Set(
      SETTING_DOCS.flatMap(({ name, secret }) => (secret ? [name, `${name}_FILE`] : [name])),
    );
    const secret = new Set(SETTING_DOCS.filter((doc) => doc.secret).map(({ name }) => name));
    for (const name of VALUES) {
      for (const { metadata, spec } of manifestsOf(render(name).text)) {
        for (const { args, env } of spec?.template?.spec.containers ?? []) {
          expect(env.map((one) => one.name).filter((one) => !known.has(one))).toEqual([]);
          expect(env.filter((one) => secret.has(one.name) && one.value !== undefined)).toEqual([]);
          const isMigration = args[0] === "migrate";
          const owner = name === "everything" ? '"key":"owner"' : '"name":"outdial-owner"';
          expect(JSON.stringify(env).includes(owner), metadata.name).toBe(isMigration);
          const isAtWork = args[0] === "worker" || args[0] === "server";
          expect(env.some((one) => one.name === "OUTDIAL_MIGRATE" && one.value === "never")).toBe(isAtWork);
        }
      }
    }
  });

  it("gives any secret setting from the Secret that is named, to whoever needs it and nobody else", () => {
    const from = (name: string, key: string) => ({ secretKeyRef: { name, key } });
    const atWork = {
      OUTDIAL_DATA_KEYS: from("outdial-more", "data_keys"),
      OUTDIAL_OIDC_CLIENT_SECRET: from("outdial-more", "oidc"),
      OUTDIAL_SMTP_URL: from("outdial-mail", "url"),
    };
    const temporal = { TEMPORAL_TLS_CLIENT_KEY_DATA: from("outdial-tls", "tls.key") };
    const ours = new Set([...Object.keys(atWork), ...Object.keys(temporal)]);
    for (const { spec } of manifestsOf(render("everything").text)) {
      for (const { args, env } of spec?.template?.spec.containers ?? []) {
        const isAtWork = args[0] === "worker" || args[0] === "server";
        const got = env.flatMap(({ name, valueFrom }) => (ours.has(name) ? [[name, valueFrom]] : []));
        expect(Object.fromEntries(got)).toEqual({ ...temporal, ...(isAtWork && atWork) });
      }
    }
  });

  it("refuses the value of a secret among the settings, whichever it is", () => {
    const secret = SETTING_DOCS.filter((doc) => doc.secret).map(({ name }) => name.replace("<NAME>", "CRM"));
    expect(secret).toContain("OUTDIAL_DATA_KEYS");
    const { settings } = given(
      (JSON.parse(fs.readFileSync(path.join(chart, "values.schema.json"), "utf8")) as Schema).properties,
    );
    const { pattern, not } = settings.propertyNames.not;
    const isRefused = (name: string) => new RegExp(pattern).test(name) && name !== not.const;
    expect(secret.filter((name) => !isRefused(name))).toEqual([]);
    const open = SETTING_DOCS.flatMap(({ name, secret: isSecret }) => (isSecret ? [] : [name]));
    expect(open.filter(isRefused)).toEqual([]);
  });

  it("keeps recordings where all workers and servers see them, where a claim is named", () => {
    const made = (name: string) => manifestsOf(render(name).text).filter(({ kind }) => kind === "Deployment");
    for (const { spec } of made("everything")) {
      const { containers, volumes } = given(spec.template).spec;
      expect(containers[0]?.env).toContainEqual({ name: "OUTDIAL_RECORDINGS_DIR", value: "/recordings" });
      expect(containers[0]?.volumeMounts).toContainEqual({ name: "recordings", mountPath: "/recordings" });
      expect(volumes).toContainEqual({
        name: "recordings",
        persistentVolumeClaim: { claimName: "outdial-recordings" },
      });
    }
    expect(JSON.stringify(made("plain"))).not.toContain("recordings");
  });

  it("keeps builds that end what they have beside the new one, which alone is scaled", () => {
    const made = manifestsOf(render("everything").text);
    const names = (kind: string) => made.filter((one) => one.kind === kind).map((one) => one.metadata.name);
    expect(names("Deployment").sort()).toEqual([
      "calls-server",
      expect.stringMatching(/^calls-worker-0-1-0-[0-9a-f]{6}$/),
      expect.stringMatching(/^calls-worker-0-1-1-[0-9a-f]{6}$/),
      expect.stringMatching(/^calls-worker-0-2-0-[0-9a-f]{6}$/),
    ]);
    expect(names("Job").sort()).toEqual(["calls-current", "calls-migrate"]);
    const scaled = made.find(({ kind }) => kind === "HorizontalPodAutoscaler");
    expect(scaled?.spec.scaleTargetRef?.name).toMatch(/^calls-worker-0-2-0-[0-9a-f]{6}$/);
    expect(names("Deployment")).toContain(scaled?.spec.scaleTargetRef?.name);
    // After a rollback, too: Temporal would go on giving everything to the build whose workers are gone.
    const current = made.find(({ metadata }) => metadata.name === "calls-current");
    expect(current?.metadata.annotations?.["helm.sh/hook"]).toBe("post-install,post-upgrade,post-rollback");
  });

  it.each([
    ["everything", "HorizontalPodAutoscaler"],
    ["keda", "ScaledObject"],
  ] as const)("scales workers by a metric that there is, with the values %s", (name, kind) => {
    const scaled = manifestsOf(render(name).text).find((one) => one.kind === kind);
    const asked = JSON.stringify(scaled).match(/outdial_\w+/g) ?? [];
    expect(asked).toEqual(["outdial_lines_wanted"]);
    for (const one of asked) expect(Object.keys(METRICS)).toContain(one);
  });

  it("tells builds apart whose tags begin alike, and refuses those that have one name", () => {
    const tags = "{1.0.0-2026-11-25,1.0.0-2026-11-26,1_0,1.0,2.0-Long_Tag.}";
    const made = manifestsOf(render("everything", "--set", `worker.versioning.previousTags=${tags}`).text);
    const names = made.filter(({ kind }) => kind === "Deployment").map(({ metadata }) => metadata.name);
    expect(new Set(names).size).toBe(7);
    for (const name of names) expect(name).toMatch(/^[a-z]([a-z0-9-]{0,61}[a-z0-9])$/);
    const digest = `image.digest=sha256:${"0".repeat(64)}`;
    expect(render("everything", "--set", digest).code).toBe(0);
    for (const [set, words] of [
      [`${digest},image.tag=`, /set image\.tag, too/],
      ["worker.versioning.previousTags={0.2.0}", /previousTags has 0\.2\.0, which is the tag of this build/],
    ] as const) {
      const { code, text } = render("everything", "--set", set);
      expect(code).not.toBe(0);
      expect(text).toMatch(words);
    }
  });

  it("carries the alerts as they are, and is of this version", () => {
    const alerts = fs.readFileSync(path.join(root, "deploy/prometheus/alerts.yaml"), "utf8");
    const rule = manifestsOf(render("everything").text).find(({ kind }) => kind === "PrometheusRule");
    expect(rule?.spec).toEqual(parse(alerts));
    expect(fs.readFileSync(path.join(chart, "files/alerts.yaml"), "utf8")).toBe(alerts);
    const { version } = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8")) as {
      version: string;
    };
    expect(parse(fs.readFileSync(path.join(chart, "Chart.yaml"), "utf8"))).toMatchObject({
      version,
      appVersion: version,
    });
  });

  it.each([
    ["secrets.ledger.existingSecret=", /name the Secret of the ledger's DATABASE_URL/],
    ["secrets.owner.existingSecret=", /secrets\.owner\.existingSecret/],
    ["secrets.api.existingSecret=", /name the Secret of the API's token/],
    ["secrets.platform.existingSecret=", /name the Secret of the platform's key/],
    ["temporal.address=", /name the Temporal server/],
    ["worker.autoscaling.kind=cron", /kind/],
    ["settings.lower=1", /'lower' does not match/],
    ["secrets.api.value=plain", /value/],
    ["settings.OUTDIAL_DATA_KEYS=k1:plain", /OUTDIAL_DATA_KEYS/],
    ["settings.OUTDIAL_DATABASE_CRM=postgres://crm", /OUTDIAL_DATABASE_CRM/],
    ["secrets.settings.OUTDIAL_DATA_KEYS.existingSecret=more", /key/],
    ["secrets.settings.OUTDIAL_DATA_KEYS.value=plain", /value/],
  ])("refuses %s, and says what is to be set", (set, words) => {
    const { code, text } = render("plain", "--set", set);
    expect(code).not.toBe(0);
    expect(text).toMatch(words);
  });
});
