// Writes docs/platform-operations.md: every operation of the platform as the client and the sandbox have it, in the
// contract's order, so that a reader can hold it against the contract line by line. `npm run docs:platform`. A test
// holds the page against the program.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

export const PAGE = "docs/platform-operations.md";

const code = (text) => `\`${text}\``;
const cell = (text) => text.replaceAll("|", "\\|");
const table = (headings, rows) =>
  [headings, headings.map(() => "---"), ...rows].map((row) => `| ${row.map(cell).join(" | ")} |`).join("\n");

/** A row without the names of its path's parameters. */
const nameless = (row) => row.replaceAll(/\{\w+\}/g, "{}");

/** By operation, the scope that its route in the sandbox asks for, out of the sandbox's own description. */
export function scopesIn({ paths }) {
  const scopes = new Map();
  for (const [route, methods] of Object.entries(paths)) {
    for (const [method, { security = [] }] of Object.entries(methods)) {
      const [scope] = security.flatMap((one) => one.apiKey ?? []);
      scopes.set(nameless(`${method.toUpperCase()} ${route.replace(/(.)\/$/, "$1")}`), scope);
    }
  }
  return scopes;
}

/** A field with its rule in short: `temperature? 0 to 2`. */
function fieldText(name, rule, isRequired) {
  const label = code(isRequired ? name : `${name}?`);
  // That an id is no longer than a path allows says nothing.
  const words = name.endsWith("_id") ? "" : rulesOf(rule);
  return words === "" ? label : `${label} ${words}`;
}

function rulesOf(rule) {
  const choices = (rule.anyOf ?? [rule]).flatMap((one) => one.enum ?? []);
  if (choices.length > 8) return `one of ${choices.length} words`;
  if (choices.length > 0) return choices.join(" / ");
  if (rule.items !== undefined) {
    const { properties, required = [] } = rule.items;
    if (properties === undefined) return "array";
    const inner = Object.keys(properties).map((name) => (required.includes(name) ? name : `${name}?`));
    return `array of {${inner.join(", ")}}`;
  }
  const { minimum, maximum, minLength, maxLength } = rule;
  // The largest whole number of a double is no rule of the contract's.
  const top = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum;
  if (minimum !== undefined || top !== undefined) return range(minimum, top, "");
  if (maxLength !== undefined && (minLength ?? 0) > 0) return range(minLength, maxLength, " characters");
  return "";
}

function range(from, to, unit) {
  if (to === undefined) return `from ${from}${unit}`;
  return `${from ?? ""}${from === undefined ? "up to " : " to "}${to}${unit}`;
}

function fieldsOf(rules, toJsonSchema) {
  const { properties = {}, required = [] } = toJsonSchema(rules);
  const names = Object.keys(properties);
  if (names.length === 0) return "a JSON object";
  return names.map((name) => fieldText(name, properties[name], required.includes(name))).join(", ");
}

function requestText({ body, query }, toJsonSchema) {
  const parts = [];
  if (query !== undefined) parts.push(`query ${fieldsOf(query, toJsonSchema)}`);
  if (body === "multipart") parts.push("multipart form with a file");
  else if (body !== undefined) parts.push(fieldsOf(body, toJsonSchema));
  return parts.length === 0 ? "-" : parts.join("; ");
}

function answerText({ answer }, toJsonSchema) {
  switch (answer.kind) {
    case "page":
      return `page (${POSITIONS[answer.style]}, default ${answer.limit}) of ${rowText(answer, toJsonSchema)}`;
    case "array":
      return `array of ${rowText(answer, toJsonSchema)}`;
    case "bytes":
      return "bytes";
    case "nothing":
      return "an object, or nothing";
    default:
      return recordText(toJsonSchema(answer.of));
  }
}

const POSITIONS = { skip: "`skip`, `limit`", page: "`page`, `per_page`", offset: "`limit`, `offset`" };

function rowText({ of, row }, toJsonSchema) {
  return recordText(row === undefined ? toJsonSchema(of).properties.items.items : toJsonSchema(row));
}

function recordText({ properties = {} }) {
  const names = Object.keys(properties);
  if (names.length === 0) return "an object";
  if (names.length <= MOST_SHOWN) return names.map(code).join(", ");
  const shown = names.slice(0, SHOWN_OF_MORE).map(code).join(", ");
  return `${shown} and [${names.length - SHOWN_OF_MORE} more](platform-fields.md)`;
}

/** Fields of an answer that a row has room for; of more, so many are named. */
const MOST_SHOWN = 24;
const SHOWN_OF_MORE = 11;

function rowOf(entry, { scopes, kebab, toJsonSchema }) {
  const { endpoint, name, resource, action, params } = entry;
  const row = `${endpoint.method} ${endpoint.route}`;
  const args = Object.keys(params.shape).map((param) => ` <${param}>`);
  return [
    code(row),
    requestText(entry, toJsonSchema),
    answerText(entry, toJsonSchema),
    code(scopes.get(nameless(row)) ?? "any key"),
    code(name),
    code(`${kebab(resource)} ${kebab(action)}${args.join("")}`),
  ];
}

/**
 * The page. `operations` and `resources` are the client's table, `kebab` is how commands are written, `description`
 * the sandbox's OpenAPI document, and `toJsonSchema(rules)` what rules look like on the way in.
 */
export function platformOperationsPage({ operations, resources, kebab, description, toJsonSchema }) {
  const context = { scopes: scopesIn(description), kebab, toJsonSchema };
  const sections = new Map();
  for (const entry of operations) {
    const { section } = entry;
    if (!sections.has(section)) sections.set(section, []);
    sections.get(section).push(entry);
  }
  const titleOf = (section) => Object.values(resources).find((one) => one.section === section).title;
  const parts = Array.from(sections, ([section, entries]) => {
    const rows = entries.map((entry) => rowOf(entry, context));
    return `## ${section} ${titleOf(section)}\n\n${table(
      ["method and path", "request", "answer, as far as the client knows it", "scope", "client", "command"],
      rows,
    )}`;
  });
  return `<!-- Written by \`npm run docs:platform\`. Change the program, not this page. -->

# Operations of the platform

Every operation of the voice agent platform, in the order and by the sections of its contract. The rows come from the
table that the client and \`outdial platform\` are made of; the scopes are those that the sandbox asks for, since the
contract does not say which one an endpoint needs. A method of the client is written \`resource.method\`, a command
\`outdial platform\` and then what stands here. \`?\` marks what may be left out. Answers may have more fields than are
named here, which are kept, and any of them but the id may be missing: the [fields](platform-fields.md) with their types. An agent's \`agent_name\` travels as \`name\`.

The contract test walks each of these rows through the client against the sandbox, and holds the list against one
that was written down from the contract by hand.

${parts.join("\n\n")}
`;
}

async function write() {
  const { prepare } = await import("./prepare.mjs");
  await prepare();
  const built = (file) => import(pathToFileURL(path.join(root, "dist", file)).href);
  const { operations, resources } = await built("platform/index.js");
  const { kebab } = await built("cli/platform/words.js");
  const { createSandbox } = await built("sandbox/sandbox.js");
  const { z } = await import("zod");
  const sandbox = await createSandbox();
  const description = await (await fetch(`${sandbox.url}/openapi.json`)).json();
  await sandbox.close();
  const toJsonSchema = (rules) => z.toJSONSchema(rules, { io: "input", unrepresentable: "any" });
  const page = platformOperationsPage({ operations, resources, kebab, description, toJsonSchema });
  fs.writeFileSync(path.join(root, PAGE), page);
  console.log(PAGE);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await write();
