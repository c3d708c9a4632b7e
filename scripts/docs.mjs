// Writes what the program itself knows into docs/: every setting, every command, every route of the HTTP API, every metric; and
// what the typed client of the API knows of its routes into src/api/generated.ts.
// `npm run docs`. A test holds the pages against the program, so that none of them can be out of date.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { apiClientText } from "./api-client.mjs";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

const GENERATED = "<!-- Written by `npm run docs`. Change the program, not this page. -->";

const code = (text) => `\`${text}\``;
const cell = (text) => text.replaceAll("|", "\\|");
const table = (headings, rows) =>
  [headings, headings.map(() => "---"), ...rows].map((row) => `| ${row.map(cell).join(" | ")} |`).join("\n");

/** docs/configuration.md, from the table of settings. */
export function configurationPage(settings) {
  const secrets = settings.filter(({ secret }) => secret).map(({ name }) => code(name));
  return `${GENERATED}

# Settings

Settings are environment variables. All are read once, at the start of a command; every problem among them is
reported at once, each with its variable's name and an example. An empty value counts as absent. Nothing reads a
\`.env\` file: Docker Compose does that for its services, and a shell with \`set -a; . ./.env\`.

${table(
  ["variable", "meaning", "default", "example"],
  settings.map(({ name, meaning, default: byDefault, example, secret }) => [
    code(name),
    secret ? `${meaning} **Secret.**` : meaning,
    byDefault ?? "none",
    secret && !/[/:]/.test(example) ? example : code(example),
  ]),
)}

## Secrets

${secrets.join(", ")} may be given
as a file instead: the variable's name with \`_FILE\` behind it names a file that holds the value, such as
\`PLATFORM_API_KEY_FILE=/run/secrets/platform_key\`. White space around the value is dropped. A value in the
variable itself comes first. Secrets are never printed or logged.

## What goes together

- An \`OUTDIAL_API_HOST\` that is not loopback needs \`OUTDIAL_API_TOKEN\`.
- Each process of a machine needs an \`OUTDIAL_METRICS_LISTEN\` with a port of its own, or none.
- \`OUTDIAL_API_TLS_CERT\` and \`OUTDIAL_API_TLS_KEY\` go together.
- \`OUTDIAL_SPEED\` above 1 needs a \`PLATFORM_BASE_URL\` on this machine: it is for sandboxes.
- A key of Temporal or \`TEMPORAL_TLS...\` needs \`TEMPORAL_ADDRESS\`: a server that is provided here has neither.
- A client's certificate and its key go together; each certificate or key is given as \`..._PATH\` or as \`..._DATA\`, not
  as both.
- \`--data-dir\` of any command stands in for \`OUTDIAL_DATA_DIR\`.

## Read, but not ours

\`PATH\` is searched for a \`temporal\` executable. \`XDG_DATA_HOME\` and \`XDG_CACHE_HOME\` move the usual data and
cache folders, \`XDG_CONFIG_HOME\` the one where a profile of Temporal is looked for. \`NO_COLOR\` (any value) and \`TERM=dumb\` keep colours and cursor movements out of the terminal.
`;
}

/** The names under "Commands:" of a help text, without \`help\` itself. */
function subcommandsIn(help) {
  const [, section = ""] = /^Commands:\n((?: .*\n)+)/m.exec(help) ?? [];
  return [...section.matchAll(/^ {2}(\S+)/gm)].map(([, name]) => name).filter((name) => name !== "help");
}

/** Every command with its help, parents before their children. \`helpOf\` answers the help of a command line. */
export async function collectHelp(helpOf, words = []) {
  const text = `${(await helpOf([...words, "--help"])).trim()}\n`;
  const own = { words, text };
  const children = [];
  // The platform's operations stand in docs/platform-operations.md, a line each.
  if (words.length === 2 && words[0] === "platform") return [own];
  for (const name of subcommandsIn(text)) children.push(...(await collectHelp(helpOf, [...words, name])));
  return [own, ...children];
}

/** Runs the program's own help, given \`runProgram\` of the build or of the sources. */
export function helpThrough(runProgram) {
  return async (args) => {
    let text = "";
    const stream = { write: (part) => (text += part) };
    const unused = () => {
      throw new Error("help needs nothing");
    };
    // Help fills the terminal that it is written to; a page has the width of none.
    const { isTTY } = process.stdout;
    process.stdout.isTTY = false;
    try {
      await runProgram(
        { openSettings: unused, ports: {}, stdout: stream, stderr: stream },
        args,
        async () => false,
      );
    } finally {
      process.stdout.isTTY = isTTY;
    }
    return text;
  };
}

/** docs/cli.md, from the help of every command. */
export function cliPage(helps) {
  const nameOf = ({ words }) => ["outdial", ...words].join(" ");
  const anchorOf = (help) => nameOf(help).replaceAll(" ", "-");
  return `${GENERATED}

# Commands

In a checkout \`npx outdial ...\` and \`npm run outdial -- ...\` run them, whether dependencies are installed or not.
## Answers

What a command was asked for goes to standard output, in words. Each command that answers something takes:

| option | the answer |
| --- | --- |
| \`-o json\`, \`--json\` | one JSON object on the last line, as the [API](api.md) has it |
| \`-o yaml\` | the same as YAML |
| \`-o csv\` | a row an item of a list, or one row; a column a field, named as in the JSON, with a dot before what is inside of another; cells that a spreadsheet would run are marked as text |
| \`-o wide\` | a table for people with ids and every plain field, instead of the usual columns; empty columns are left out |
| \`--fields id,contacts.total\` | only these fields, in this order, in any form; without \`-o\` as a table |

Then standard output holds the answer alone, and everything else goes to standard error: what happens meanwhile, and
that a list goes on. A field that nothing has is empty and told there. CSV of an empty list is empty, with
\`--fields\` its header.

## Errors

An error is one message with its remedy on standard error. With \`--json\` or \`-o json\` it is one object on the last
line of standard error, and nothing is on standard output:

\`\`\`json
{ "error": { "code": "usage", "message": "...", "remedy": "...", "exit_code": 2 } }
\`\`\`

\`code\` is the API's word for its refusals, or one of the command line's own; \`errors\` lists fields where several are
wrong, \`field\` names the one. Wrong arguments are told the same way. Exit codes are the same in every form.

## Contexts

A context is a name for a system, with its address and token:

\`\`\`sh
outdial context set production --url https://outdial.example.com --token-command "pass outdial/production" --protected
outdial context use production
outdial campaign list
outdial campaign list --context staging
\`\`\`

They are kept in \`$XDG_CONFIG_HOME/outdial/contexts.json\` (\`~/.config/outdial/contexts.json\`), which only its owner
may read; one that others can read is refused. The token is kept there, in a file of its own, or printed by a command
that is run each time. It is never shown, and goes to its context's address alone. Which system a command speaks to,
what stands first going before the others:

1. \`--context\`; refused beside \`--data-dir\`, or where OUTDIAL_API_URL says something else.
2. OUTDIAL_API_URL, with OUTDIAL_API_TOKEN; or \`--data-dir\`.
3. OUTDIAL_CONTEXT.
4. DATABASE_URL or OUTDIAL_DATA_DIR: the system of this machine.
5. What \`outdial context use\` named.
6. The system of this machine's usual data folder.

A context without a token takes OUTDIAL_API_TOKEN. \`--brand\` of a context is whose campaigns and sequences are meant
where nobody says it; lists of every brand and suppressions are not narrowed by it. Commands about this machine
(\`run\`, \`server\`, \`worker\`, \`up\`, \`doctor\`, \`migrate\`, \`deploy\`, \`backup\`, \`restore\`, \`platform\`, \`qualify\`, \`demo\`,
\`sandbox\`) go by no context; \`outdial doctor\` says which one the others go by.

What begins calls, ends something for good or takes a protection away says which context it is in, and in one that is
\`protected\` asks first. \`--yes\` answers; where nobody can be asked, it is refused without it. \`stop-all\` and
\`pause\` never ask; \`forget\` asks everywhere.

## All commands

${helps.map((help) => `- [${nameOf(help)}](#${anchorOf(help)})`).join("\n")}

${helps.map((help) => `## ${nameOf(help)}\n\n\`\`\`text\n${help.text}\`\`\``).join("\n\n")}
`;
}

/** The API as it describes itself. Nothing is called, so nothing has to be there behind it. */
export async function describeApi(buildApp) {
  const app = await buildApp({
    ledger: { kind: "embedded", db: {} },
    client: {},
    platform: {},
    wake: {},
    hookTokens: [],
    sessions: { idleMs: 0, lifeMs: 0, publicUrl: undefined },
    dashboardDir: "",
    log: {},
    now: Date.now,
    token: undefined,
  });
  await app.ready();
  const description = app.swagger();
  await app.close();
  return description;
}

function bodyOf({ parameters = [], requestBody }) {
  // Streams have no schema to be described by; every route that takes one asks for its name.
  if (parameters.some(({ name }) => name === "source_name")) return "a list, as it is";
  const fields = requestBody?.content["application/json"]?.schema;
  if (!fields?.properties) return "";
  const required = new Set(fields.required);
  return Object.keys(fields.properties)
    .map((name) => code(required.has(name) ? name : `${name}?`))
    .join(", ");
}

/** What a caller of some brands meets; of all others that of the thing which the route is about. */
const BRAND_WORDS = {
  none: "",
  every: "all of them",
  query: "as named",
  named: "as named",
  list: "as named",
  body: "as named",
  entries: "as named",
  handler: "as named",
};

/** A line a route: what may be asked, with which fields, and by whom. */
export function routeTable({ paths }) {
  const rows = Object.entries(paths).flatMap(([route, methods]) =>
    Object.entries(methods).map(([method, operation]) => [
      code(`${method.toUpperCase()} ${route}`),
      (operation.parameters ?? [])
        .filter((parameter) => parameter.in === "query")
        .map(({ name, required }) => code(required ? name : `${name}?`))
        .join(", "),
      bodyOf(operation),
      operation["x-outdial-role"] ?? "",
      BRAND_WORDS[operation["x-outdial-brand"]] ?? "its own",
    ]),
  );
  return table(["route", "query", "body", "role", "brands"], rows);
}

/** A line a problem: its status, its code, when it is answered, and what to do. */
export function problemTable(description) {
  const rows = Object.entries(description["x-problems"]).map(([name, { statuses, when, remedy }]) => [
    statuses.join(", "),
    code(name),
    when,
    remedy,
  ]);
  return table(["status", "code", "when", "what to do"], rows);
}

/** A line a reason for which somebody is not dialed, those that end a contact first. */
export function reasonTable({ never, wait }) {
  const rows = Object.entries({ never, wait }).flatMap(([answer, reasons]) =>
    Object.entries(reasons).map(([reason, meaning]) => [code(reason), answer, meaning]),
  );
  return table(["reason", "answer", "meaning"], rows);
}

/** Each preset with a line a rule. */
export function presetTables(presets, ruleText) {
  return presets
    .map(({ id, version, title, reviewed, needs, rules }) => {
      const goesWith = needs.length === 0 ? "" : ` Goes with ${needs.map(code).join(", ")}.`;
      const rows = rules.map((rule) => [
        code(rule.id),
        rule.places === "elsewhere" ? "elsewhere" : rule.where,
        ruleText(rule),
        `[${rule.source}](${rule.url})`,
        rule.dated,
        rule.note ?? "",
      ]);
      const headings = ["rule", "where", "says", "source", "dated", "note"];
      return `### ${code(id)}\n\n${title}. Version ${version}, reviewed on ${reviewed}.${goesWith}\n\n${table(headings, rows)}`;
    })
    .join("\n\n");
}

/** A line a kind of entry of a person's story. */
export function storyKindTable(kinds) {
  return table(
    ["kind", "meaning"],
    Object.entries(kinds).map(([kind, meaning]) => [code(kind), meaning]),
  );
}

/** A line a type of event, and an example of what is told of each. */
export function eventTables(types) {
  const entries = Object.entries(types);
  const meanings = table(
    ["type", "when", "`data`"],
    entries.map(([name, { meaning, example }]) => [
      code(name),
      meaning,
      Object.keys(example).map(code).join(", "),
    ]),
  );
  const examples = entries.map(([name, { example }]) => JSON.stringify({ type: name, data: example }));
  return `${meanings}\n\nAn example of each:\n\n\`\`\`text\n${examples.join("\n")}\n\`\`\``;
}

/** A line a metric that Outdial serves, with what its labels hold. */
export function metricTables(metrics) {
  const rowsOf = (source) =>
    Object.entries(metrics)
      .filter(([, { from }]) => from === source)
      .map(([name, { type, help, labels }]) => [
        code(name),
        type,
        help,
        Object.entries(labels)
          .map(([label, meaning]) => `${code(label)}: ${meaning}`)
          .join("; "),
      ]);
  const headings = ["metric", "type", "meaning", "labels"];
  return `### Of a process\n\n${table(headings, rowsOf("process"))}\n\n### Of the ledger\n\n${table(headings, rowsOf("ledger"))}`;
}

/** A page with its table of that name written anew. */
export function withTable(page, name, text) {
  const [begin, end] = [`<!-- ${name}: written by \`npm run docs\` -->`, `<!-- end of ${name} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`the page needs the lines ${begin} and ${end}`);
  return `${page.slice(0, from)}${begin}\n\n${text}\n\n${page.slice(to)}`;
}

async function writeAll() {
  const { prepare } = await import("./prepare.mjs");
  await prepare();
  const built = (file) => import(pathToFileURL(path.join(root, "dist", file)).href);
  const { SETTING_DOCS } = await built("config.js");
  const { NEVER_REASONS, WAIT_REASONS } = await built("domain/policy/gate-reasons.js");
  const { newestPresets } = await built("domain/policy/presets/registry.js");
  const { ruleText } = await built("domain/policy/presets/preset.js");
  const { STORY_KINDS } = await built("domain/people/story.js");
  const { EVENT_TYPES } = await built("domain/ground/event-types.js");
  const { METRICS } = await built("telemetry/metric-table.js");
  const { runProgram } = await built("cli/program.js");
  const { buildApp } = await built("http/app.js");
  const docs = (name) => path.join(root, "docs", name);
  const pages = {
    "configuration.md": configurationPage(SETTING_DOCS),
    "cli.md": cliPage(await collectHelp(helpThrough(runProgram))),
    "api.md": withTable(
      withTable(fs.readFileSync(docs("api.md"), "utf8"), "routes", routeTable(await describeApi(buildApp))),
      "problems",
      problemTable(await describeApi(buildApp)),
    ),
    "policies.md": withTable(
      fs.readFileSync(docs("policies.md"), "utf8"),
      "reasons",
      reasonTable({ never: NEVER_REASONS, wait: WAIT_REASONS }),
    ),
    "presets.md": withTable(
      fs.readFileSync(docs("presets.md"), "utf8"),
      "presets",
      presetTables(newestPresets(), ruleText),
    ),
    "evidence.md": withTable(
      fs.readFileSync(docs("evidence.md"), "utf8"),
      "kinds",
      storyKindTable(STORY_KINDS),
    ),
    "events.md": withTable(fs.readFileSync(docs("events.md"), "utf8"), "events", eventTables(EVENT_TYPES)),
    "metrics.md": withTable(fs.readFileSync(docs("metrics.md"), "utf8"), "metrics", metricTables(METRICS)),
  };
  fs.writeFileSync(path.join(root, "src/api/generated.ts"), apiClientText(await describeApi(buildApp)));
  console.log("src/api/generated.ts");
  for (const [name, text] of Object.entries(pages)) {
    fs.writeFileSync(docs(name), text);
    console.log(`docs/${name}`);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeAll();
