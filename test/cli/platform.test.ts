import fs from "node:fs";
import path from "node:path";
import { describe, expect, it, test } from "vitest";

import { fieldsOf } from "../../src/cli/platform/fields.ts";
import { kebab } from "../../src/cli/platform/words.ts";
import { operations } from "../../src/platform/index.ts";
import { AGENT, temporaryFolder, writeFile } from "./support.ts";
import { lineTo, openLine } from "./platform-line.ts";
import { PATIENCE_MS } from "../support/until.ts";

/** What moves a cursor, rings, or turns text around. */
const CONTROL = /[^\P{Cc}\n]|\p{Cf}/u;

/** A line for what is told before anything is sent: nobody listens there. */
const nobody = lineTo("http://127.0.0.1:9", "no-key-of-anybody");

describe("the commands of the platform", () => {
  test("every operation has one, with its summary, section, route and fields in its help", async () => {
    for (const entry of operations) {
      const end = await nobody(["platform", kebab(entry.resource), kebab(entry.action), "--help"]);
      expect(end.code, entry.name).toBe(0);
      expect(end.stdout.replaceAll(/\s+/g, " ")).toContain(entry.summary);
      expect(end.stdout).toContain(
        `${entry.endpoint.method} ${entry.endpoint.route} (section ${entry.section}`,
      );
      for (const name of Object.keys(entry.params.shape)) expect(end.stdout).toContain(`<${name}>`);
      for (const { flag } of fieldsOf(entry)) expect(end.stdout).toContain(`${flag} `);
    }
  });

  test("no option of a field is taken for another one", () => {
    const ours = ["--help", "--json", "--yes", "--all", "--out", "--body", "--file", "--filename"];
    for (const entry of operations) {
      const flags = fieldsOf(entry).map(({ flag }) => flag);
      expect(new Set([...flags, ...ours, "--show-secret", "--data-dir"]).size, entry.name).toBe(
        flags.length + ours.length + 2,
      );
    }
  });

  it("help names types and rules, and what is required", async () => {
    const end = await nobody(["platform", "agents", "create", "--help"]);
    const text = end.stdout.replaceAll(/\s+/g, " ");
    expect(text).toContain("--agent-name <text> text, at most 255 characters (required)");
    expect(text).toContain("--temperature <n> number, 0 to 2");
    expect(text).toContain("--agent-type <text> one of orchestration_agent, realtime_agent");
    expect(text).toContain("--llm-api-key-file <file> file that holds the secret");
    expect(text).not.toContain("--llm-api-key <");
  });

  it("says which resources and actions there are", async () => {
    const all = await nobody(["platform", "--help"]);
    for (const resource of ["agents", "sip-connections", "knowledge-bases", "api-keys", "chat"]) {
      expect(all.stdout).toContain(`  ${resource}`);
    }
    expect(all.stdout).toMatch(/^ +sip-connections .* SIP connections of a phone number$/m);
    expect(all.stdout).toMatch(/^ +api-keys .* API keys$/m);
    expect(all.stdout).toMatch(/^ +knowledge-bases .* knowledge bases$/m);
    const one = await nobody(["platform", "phone-numbers", "--help"]);
    expect(one.stdout).toContain("section 4.3");
    expect(one.stdout).toContain("set-agents");
    expect(await nobody(["platform", "agents", "hire"])).toMatchObject({ code: 2 });
  });
});

describe("reading", () => {
  it("shows a list as a table whose rest is told, a record by name and value", async () => {
    const { outdial } = await openLine();
    const list = await outdial(["platform", "phone-numbers", "list", "--limit", "2"]);
    expect(list).toMatchObject({ code: 0, stderr: "" });
    const [header, ...rows] = list.stdout.trimEnd().split("\n");
    expect(header).toMatch(/^phone_number_id +phone_number/);
    expect(rows).toHaveLength(3);
    expect(rows[2]).toBe("and 1 more: --skip 2, or --all");
    const agent = await outdial(["platform", "agents", "get", AGENT]);
    expect(agent.stdout).toMatch(/^agent_name +Renewal assistant$/m);
  });

  it("gives a program one object, or a line a row with --all", async () => {
    const { outdial } = await openLine();
    const page = await outdial(["platform", "agents", "list", "--json"]);
    expect(JSON.parse(page.stdout)).toMatchObject({
      total: 2,
      items: [{ agent_id: expect.any(String) }, {}],
    });
    const all = await outdial(["platform", "phone-numbers", "list", "--all", "--limit", "1", "--json"]);
    const rows = all.stdout
      .trimEnd()
      .split("\n")
      .map((line): unknown => JSON.parse(line));
    expect(rows).toHaveLength(3);
  });

  it("shows every row of a long list in one table", async () => {
    const { outdial } = await openLine();
    const all = await outdial(["platform", "phone-numbers", "list", "--all", "--limit", "1"]);
    expect(all.stdout.trimEnd().split("\n")).toHaveLength(4);
  });

  it("refuses a page beside all of them, and begins all rows where it is told to", async () => {
    const both = await nobody(["platform", "workflows", "list", "--page", "2", "--all"]);
    expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining("leave one of the two out") });
    const { outdial } = await openLine();
    const all = await outdial(["platform", "agents", "list", "--all", "--json"]);
    const rest = await outdial(["platform", "agents", "list", "--all", "--skip", "1", "--json"]);
    const rows = (text: string) => text.trimEnd().split("\n");
    expect(rows(rest.stdout)).toEqual(rows(all.stdout).slice(1));
  });

  it("does not let a name of the platform move the cursor", async () => {
    const { outdial } = await openLine();
    const name = "Ev\u001B[2Jil\u0007 \u202Eagent";
    const made = await outdial(["platform", "agents", "create", "--agent-name", name]);
    expect(made.code).toBe(0);
    expect(made.stdout).not.toMatch(CONTROL);
    const list = await outdial(["platform", "agents", "list"]);
    expect(list.stdout).not.toMatch(CONTROL);
  });
});

describe("writing", () => {
  it("takes fields as options, as an object, or both, the option going first", async () => {
    const { outdial } = await openLine();
    const body = writeFile(
      temporaryFolder(),
      "agent.json",
      JSON.stringify({ agent_name: "From the file", temperature: 0.2, stt_multilingual: true }),
    );
    const made = await outdial([
      "platform",
      "agents",
      "create",
      "--body",
      body,
      "--agent-name",
      "Ada",
      "--max-completion-tokens",
      "512",
      "--knowledge-base-ids",
      "kb-1,kb-2",
      "--json",
    ]);
    expect(made.stderr).toBe("");
    const { agent_id: id } = JSON.parse(made.stdout) as { agent_id: string };
    const shown = await outdial(["platform", "agents", "export", id, "--json"]);
    expect(made.code).toBe(0);
    expect(shown.stdout).toContain('"Ada"');
    expect(shown.stdout).toContain("0.2");
    expect(shown.stdout).toContain("512");
    expect(shown.stdout).toContain("kb-2");
  });

  it("reads the object from standard input", async () => {
    const { outdial } = await openLine();
    const made = await outdial(["platform", "agents", "create", "--body", "-", "--json"], {
      stdin: '{"agent_name":"Piped"}',
    });
    expect(JSON.parse(made.stdout)).toMatchObject({ agent_name: "Piped" });
  });

  it("publishes a version: the option is the agent's, not Outdial's own", async () => {
    const { outdial } = await openLine();
    const published = await outdial(["platform", "agents", "publish", AGENT, "--version", "1", "--json"]);
    expect(JSON.parse(published.stdout)).toMatchObject({ published_version: 1 });
  });

  it("exports into a file that imports as it is", async () => {
    const { outdial } = await openLine();
    const file = path.join(temporaryFolder(), "agent.json");
    const exported = await outdial(["platform", "agents", "export", AGENT, "--out", file]);
    expect(exported).toMatchObject({ code: 0, stdout: expect.stringContaining(file) });
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    const imported = await outdial(["platform", "agents", "import", "--body", file, "--json"]);
    expect(JSON.parse(imported.stdout)).toMatchObject({ agent_name: expect.any(String) });
    const again = await outdial(["platform", "agents", "export", AGENT, "--out", file]);
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining("is there already") });
  });
});

describe("what deletes or dials", () => {
  it("asks first on a terminal, and does nothing on a no", async () => {
    const { outdial } = await openLine();
    const no = await outdial(["platform", "agents", "delete", AGENT], { answers: ["n"] });
    expect(no).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/no way back.*\[y\/N\].*nothing was sent/s),
    });
    expect(await outdial(["platform", "agents", "get", AGENT])).toMatchObject({ code: 0 });
    const yes = await outdial(["platform", "agents", "delete", AGENT], { answers: ["yes"] });
    expect(yes.code).toBe(0);
    expect(await outdial(["platform", "agents", "get", AGENT])).toMatchObject({ code: 1 });
  });

  it("is refused where nobody can be asked, unless --yes says so", async () => {
    const { sandbox, outdial } = await openLine();
    const call = [
      "platform",
      "calls",
      "phone",
      "--agent-id",
      AGENT,
      "--from-number",
      "+12025550100",
      "--to-number",
      "+12025550143",
    ];
    const refused = await outdial(call);
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("add --yes") });
    expect(sandbox.dialLog.length).toBe(0);
    expect(await outdial([...call, "--yes"])).toMatchObject({ code: 0 });
    expect(sandbox.dialLog.length).toBe(1);
  });

  it("can't be asked where standard input is what is sent", async () => {
    const end = await nobody(["platform", "calls", "phone", "--body", "-"], { stdin: "{}" });
    expect(end).toMatchObject({ code: 2, stderr: expect.stringContaining("Standard input is used up") });
  });
});

describe("secrets", () => {
  it("are no arguments, not even inside of JSON", async () => {
    const flat = await nobody(["platform", "agents", "create", "--agent-name", "x", "--llm-api-key", "sk-1"]);
    expect(flat).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("unknown option '--llm-api-key'"),
    });
    const deep = await nobody([
      "platform",
      "calls",
      "test",
      "--agent-id",
      AGENT,
      "--temp-config",
      '{"a":{"llm_api_key":"sk-1"}}',
    ]);
    expect(deep).toMatchObject({ code: 2, stderr: expect.stringContaining("holds a secret (llm_api_key)") });
    expect(deep.stderr).not.toContain("sk-1");
    for (const [field, value, name] of [
      ["mcp-config", '{"s":{"headers":{"Authorization":"Bearer sk-1"}}}', "Authorization"],
      ["mcp-config", '{"headers":[{"name":"X-Api-Key","value":"sk-1"}]}', "X-Api-Key"],
      ["native-tools-config", '{"crm":{"secrets":{"eu":"sk-1"}}}', "secrets"],
    ] as const) {
      const end = await nobody(["platform", "agents", "create", "--agent-name", "x", `--${field}`, value]);
      expect(end).toMatchObject({ code: 2, stderr: expect.stringContaining(`holds a secret (${name})`) });
      expect(end.stderr).not.toContain("sk-1");
    }
    const pair = await nobody(["platform", "calls", "phone", "--dynamic-variables", "password=sk-1"]);
    expect(pair).toMatchObject({ code: 2, stderr: expect.stringContaining("holds a secret (password)") });
  });

  it("inside of JSON come from a file, and are hidden in answers until they are asked for", async () => {
    const { outdial } = await openLine();
    const folder = temporaryFolder();
    const file = writeFile(
      folder,
      "mcp.json",
      JSON.stringify({
        crm: { headers: { Authorization: "Bearer sk-1" }, max_tokens: 512, url: "https://x.example" },
      }),
    );
    const create = [
      "platform",
      "agents",
      "create",
      "--agent-name",
      "x",
      "--mcp-config",
      `@${file}`,
      "--json",
    ];
    const made = await outdial(create);
    expect(made.code).toBe(0);
    expect(made.stderr).toContain("Authorization not shown");
    const { agent_id: id } = JSON.parse(made.stdout) as { agent_id: string };
    const lists = [
      ["agents", "get", id],
      ["agents", "list"],
      ["agents", "list", "--all"],
    ];
    for (const words of lists) {
      for (const how of [["--json"], []]) {
        const hidden = await outdial(["platform", ...words, ...how]);
        expect(hidden.code, words.join(" ")).toBe(0);
        expect(hidden.stdout).not.toContain("sk-1");
      }
    }
    const get = ["platform", "agents", "get", id, "--json"];
    expect(JSON.parse((await outdial(get)).stdout)).toMatchObject({
      mcp_config: {
        crm: { headers: { Authorization: "(hidden)" }, max_tokens: 512, url: "https://x.example" },
      },
    });
    for (const words of lists) {
      const shown = await outdial(["platform", ...words, "--show-secret", "--json"]);
      expect(shown.stdout, words.join(" ")).toContain("Bearer sk-1");
    }
    const broken = writeFile(folder, "broken.json", '"sk-1');
    const end = await nobody([
      "platform",
      "agents",
      "create",
      "--agent-name",
      "x",
      "--mcp-config",
      `@${broken}`,
    ]);
    expect(end).toMatchObject({ code: 2, stderr: expect.stringContaining("which is not JSON") });
    expect(end.stderr).not.toContain("sk-1");
  });

  it("a key is made only where it has a place, and only its owner may read that", async () => {
    const { outdial } = await openLine();
    const file = path.join(temporaryFolder(), "key.json");
    const lost = await outdial(["platform", "api-keys", "create", "--name", "worker"]);
    expect(lost).toMatchObject({ code: 2, stderr: expect.stringContaining("--show-secret") });
    const kept = await outdial(["platform", "api-keys", "create", "--name", "worker", "--out", file]);
    expect(kept.code).toBe(0);
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    const { id, key } = JSON.parse(fs.readFileSync(file, "utf8")) as { id: string; key: string };
    expect(key.length).toBeGreaterThan(10);
    expect(kept.stdout + kept.stderr).not.toContain(key);
    const rotated = await outdial(["platform", "api-keys", "rotate", id, "--show-secret", "--json"]);
    expect(JSON.parse(rotated.stdout)).toMatchObject({ key: expect.not.stringMatching(/^\(hidden\)$/) });
  });

  it("a token in an answer is hidden until it is asked for", async () => {
    const { outdial } = await openLine();
    const call = ["platform", "calls", "web", "--agent-id", AGENT];
    const hidden = await outdial(call);
    expect(hidden.stdout).toMatch(/access_token +\(hidden\)/);
    expect(hidden.stderr).toContain("access_token not shown");
    const shown = await outdial([...call, "--show-secret"]);
    expect(shown.stdout).not.toContain("(hidden)");
  });

  it("come from files and standard input, which can be read once", async () => {
    const folder = temporaryFolder();
    const file = writeFile(folder, "secret", "hunter2\n");
    const twice = await nobody([
      "platform",
      "agents",
      "create",
      "--agent-name",
      "x",
      "--llm-api-key-file",
      "-",
      "--stt-api-key-file",
      "-",
    ]);
    expect(twice).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("standard input can be read once"),
    });
    const { sandbox, outdial } = await openLine();
    const numbers = await outdial(["platform", "phone-numbers", "list", "--json"]);
    const [number] = (JSON.parse(numbers.stdout) as { items: { phone_number_id: string }[] }).items;
    const made = await outdial([
      "platform",
      "sip-connections",
      "create",
      number?.phone_number_id ?? "",
      "--termination-uri",
      "sip.carrier.example",
      "--username",
      "me",
      "--password-file",
      file,
      "--json",
    ]);
    expect(made.stderr).toBe("");
    expect(made.code).toBe(0);
    expect(made.stdout).not.toContain("hunter2");
    expect(sandbox.url).toContain("127.0.0.1");
  });
});

describe("errors", () => {
  it("stand field by field with their options, and nothing is sent", async () => {
    const end = await nobody([
      "platform",
      "agents",
      "create",
      "--temperature",
      "3",
      "--language",
      "xx_yy_zz",
    ]);
    expect(end.code).toBe(2);
    expect(end.stderr).toMatch(/^ {2}agent_name \(--agent-name\): is needed$/m);
    expect(end.stderr).toMatch(/^ {2}temperature \(--temperature\): /m);
    expect(end.stderr).toMatch(/^ {2}language \(--language\): /m);
    const number = await nobody(["platform", "agents", "create", "--temperature", "hot"]);
    expect(number).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--temperature must be a number, and is "hot"'),
    });
  });

  it("of the platform are a refusal with a remedy", async () => {
    const { sandbox, outdial } = await openLine();
    const gone = await outdial(["platform", "agents", "get", "33333333-3333-4333-8333-333333333333"]);
    expect(gone).toMatchObject({ code: 1, stderr: expect.stringContaining("check the ids") });
    const stranger = lineTo(sandbox.url, "another-key-altogether");
    expect(await stranger(["platform", "agents", "list"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("PLATFORM_API_KEY"),
    });
  });

  it("a file that is too large is to be made smaller, whatever the address", async () => {
    const { sandbox, outdial } = await openLine();
    const route = "POST /v1/knowledge-bases/:id/documents";
    const body = { detail: "A document may have 512 MB at most" };
    sandbox.faults.add({ kind: "status", route, status: 413, body });
    const base = await outdial(["platform", "knowledge-bases", "create", "--name", "Papers", "--json"]);
    const { id }: { id: string } = JSON.parse(base.stdout);
    const file = writeFile(temporaryFolder(), "prices.txt", "much");
    const end = await outdial(["platform", "knowledge-bases", "add-document", id, "--file", file]);
    expect(end).toMatchObject({ code: 1, stderr: expect.stringContaining("512 MB") });
    expect(end.stderr).toContain("make the file smaller, or split it");
    expect(end.stderr).not.toContain("PLATFORM_BASE_URL");
  });

  it("a file that was to hold the answer is not left behind", async () => {
    const { outdial } = await openLine();
    const file = path.join(temporaryFolder(), "call.ogg");
    const end = await outdial([
      "platform",
      "calls",
      "recording",
      "33333333-3333-4333-8333-333333333333",
      "--out",
      file,
    ]);
    expect(end.code).toBe(1);
    expect(fs.existsSync(file)).toBe(false);
  });
});

describe("files", () => {
  it("a document is uploaded from its path, or from standard input under a name", async () => {
    const { outdial } = await openLine();
    const made = await outdial(["platform", "knowledge-bases", "create", "--name", "Tariffs", "--json"]);
    expect(made.stderr).toBe("");
    const { id } = JSON.parse(made.stdout) as { id: string };
    const file = writeFile(temporaryFolder(), "tariffs.txt", "ten a month");
    const add = ["platform", "knowledge-bases", "add-document", id];
    expect(await outdial([...add, "--file", file])).toMatchObject({ code: 0 });
    expect(await outdial([...add, "--file", "-"])).toMatchObject({ code: 2 });
    const piped = await outdial([...add, "--file", "-", "--filename", "more.txt"], { stdin: "two a day" });
    expect(piped.code).toBe(0);
    const shown = await outdial(["platform", "knowledge-bases", "get", id, "--json"]);
    expect(shown.stdout).toContain("tariffs.txt");
    expect(shown.stdout).toContain("more.txt");
  });

  it("a recording goes to its file, or to whoever reads standard output", async () => {
    const { sandbox, outdial } = await openLine({
      simulator: { weights: { answered: 1, voicemail: 0, no_answer: 0, busy: 0, failed: 0 } },
    });
    const made = await outdial([
      "platform",
      "calls",
      "phone",
      "--agent-id",
      AGENT,
      "--from-number",
      "+12025550100",
      "--to-number",
      "+12025550143",
      "--yes",
      "--json",
    ]);
    const { call_id: id } = JSON.parse(made.stdout) as { call_id: string };
    await expect
      .poll(async () => (await outdial(["platform", "calls", "recording", id])).code, {
        timeout: PATIENCE_MS,
      })
      .toBe(0);
    const piped = await outdial(["platform", "calls", "recording", id]);
    expect(piped.bytes.subarray(0, 4).toString("latin1")).toBe("OggS");
    const file = path.join(temporaryFolder(), "call.ogg");
    const kept = await outdial(["platform", "calls", "recording", id, "--out", file, "--json"]);
    expect(JSON.parse(kept.stdout)).toMatchObject({ out: file, bytes: piped.bytes.length });
    expect(fs.readFileSync(file).equals(piped.bytes)).toBe(true);
    expect(sandbox.dialLog.length).toBe(1);
  });
});
