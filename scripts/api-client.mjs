// What the typed client of the API knows of its routes, from their description: src/api/generated.ts, which
// `npm run docs` writes. Generators from npm build their types with a compiler that TypeScript 7 no longer is
// (docs/adr/0056-the-api-as-others-build-on-it.md); what is here reads the schemas that our own description holds, and
// refuses any other.

const HEADER = `// Written by \`npm run docs\` from the description of the API. Change the routes, not this file.
/* oxlint-disable */
`;

const METHODS = new Set(["get", "post", "put", "delete", "patch"]);

/** Words of JSON Schema that say how a value is made, and nothing of its type. */
const PASSED_OVER = new Set([
  "description",
  "default",
  "format",
  "pattern",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "propertyNames",
  "title",
]);
const UNDERSTOOD = new Set(
  "type properties required additionalProperties items anyOf oneOf allOf enum const $ref".split(" "),
);

/** The type of what fits a schema. */
function typeOf(schema, indent) {
  if (schema === true || schema === undefined) return "unknown";
  for (const word of Object.keys(schema))
    if (!PASSED_OVER.has(word) && !UNDERSTOOD.has(word))
      throw new Error(
        `scripts/api-client.mjs knows no ${word} in a schema: ${JSON.stringify(schema).slice(0, 300)}`,
      );
  const { $ref, enum: words, const: only, anyOf, oneOf, allOf, type } = schema;
  if ($ref !== undefined) return `components.${$ref.split("/").at(-1)}`;
  if (only !== undefined) return JSON.stringify(only);
  if (words !== undefined) return words.map((word) => JSON.stringify(word)).join(" | ");
  const joined = (parts, sign) => [...new Set(parts.map((part) => `(${typeOf(part, indent)})`))].join(sign);
  if (anyOf ?? oneOf) return joined(anyOf ?? oneOf, " | ");
  if (allOf) return joined(allOf, " & ");
  if (Array.isArray(type)) return type.map((one) => typeOf({ ...schema, type: one }, indent)).join(" | ");
  switch (type) {
    case "string":
    case "boolean":
    case "null":
      return type;
    case "integer":
    case "number":
      return "number";
    case "array":
      return `(${typeOf(schema.items, indent)})[]`;
    case "object":
      return objectType(schema, indent);
    case undefined:
      return "unknown";
    default:
      throw new Error(`scripts/api-client.mjs knows no type ${type}`);
  }
}

function objectType({ properties, required = [], additionalProperties }, indent) {
  const inner = `${indent}  `;
  const fields = Object.entries(properties ?? {}).map(([name, schema]) => {
    const isNeeded = required.includes(name);
    const about = typeof schema.description === "string" ? comment(schema.description, inner) : "";
    return `${about}${inner}${keyOf(name)}${isNeeded ? "" : "?"}: ${typeOf(schema, inner)}${isNeeded ? "" : " | undefined"};\n`;
  });
  const isOpen = additionalProperties !== false && additionalProperties !== undefined;
  if (fields.length === 0) {
    if (!isOpen) return properties === undefined ? "Record<string, unknown>" : "Record<string, never>";
    // Not by `Record`: an alias may come to itself again in one of these alone.
    return `{ [name: string]: ${typeOf(emptyOr(additionalProperties), indent)} }`;
  }
  // What else there is has a type that every field fits.
  return `{\n${fields.join("")}${isOpen ? `${inner}[name: string]: unknown;\n` : ""}${indent}}`;
}

function emptyOr(schema) {
  return typeof schema === "object" && Object.keys(schema).length === 0 ? true : schema;
}

function keyOf(name) {
  return /^[a-z_$][\w$]*$/i.test(name) ? name : JSON.stringify(name);
}

function comment(text, indent) {
  const said = text.replaceAll("*/", "* /").replaceAll(/\s*\n\s*/g, " ");
  return `${indent}/** ${said} */\n`;
}

function resolved(document, parameter) {
  const { $ref } = parameter;
  return $ref === undefined ? parameter : document.components.parameters[$ref.split("/").at(-1)];
}

function parametersType(parameters, where, indent) {
  const own = parameters.filter((parameter) => parameter.in === where);
  if (own.length === 0) return "undefined";
  const inner = `${indent}  `;
  const fields = own.map(({ name, required, description, schema }) => {
    // Addresses are text: a number goes in as one, and a truth value as "true".
    const words = schema.enum?.join() === "true,false" ? " | boolean" : "";
    const type = `${typeOf(schema, inner)}${words}`;
    return `${comment(description, inner)}${inner}${keyOf(name)}${required ? "" : "?"}: ${type}${required ? "" : " | undefined"};\n`;
  });
  return `{\n${fields.join("")}${indent}}`;
}

/** What a route answers with where all is well: JSON by its type, anything else as it comes. */
function answerType(responses, indent) {
  const types = Object.entries(responses)
    .filter(([status]) => status.startsWith("2"))
    .map(([, { content }]) => content?.["application/json"])
    .map((media) => (media ? typeOf(media.schema, indent) : "Response"));
  return [...new Set(types)].join(" | ");
}

function codesOf(document, responses) {
  const codes = Object.values(responses).flatMap((response) => {
    const { content } =
      response.$ref === undefined ? response : document.components.responses[response.$ref.split("/").at(-1)];
    const schema = content?.["application/problem+json"]?.schema;
    return schema?.allOf.flatMap(({ properties }) => properties?.code.enum ?? []) ?? [];
  });
  return [...new Set(codes)].toSorted((one, other) => (one < other ? -1 : 1));
}

function operationsOf(document) {
  return Object.entries(document.paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods)
        .filter(([method]) => METHODS.has(method))
        .map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
    )
    .toSorted((one, other) => (one.operationId < other.operationId ? -1 : 1));
}

/** An operation of the interface, and its line in the table. */
function describeOne(document, { operationId, path, method, summary, parameters, requestBody, responses }) {
  const all = parameters.map((parameter) => resolved(document, parameter));
  const content = requestBody?.content ?? {};
  const json = content["application/json"];
  const isList = requestBody !== undefined && json === undefined;
  const body = json
    ? `${typeOf(json.schema, "    ")}${requestBody.required ? "" : " | undefined"}`
    : isList
      ? "ListBody"
      : "undefined";
  const names = new Set(all.map(({ name }) => name));
  const answers = Object.entries(responses).filter(([status]) => status.startsWith("2"));
  const facts = {
    method,
    path,
    ...(names.has("Idempotency-Key") && { keyed: true }),
    ...(isList && { list: true }),
    ...(names.has("If-Match") && { matched: true }),
    ...(answers.some(([, answer]) => answer.content?.["application/json"] === undefined) && { raw: true }),
  };
  const problems = codesOf(document, responses).map((code) => JSON.stringify(code));
  return {
    type: `${comment(summary, "  ")}  ${operationId}: {
    path: ${parametersType(all, "path", "    ")};
    query: ${parametersType(all, "query", "    ")};
    body: ${body};
    answer: ${answerType(responses, "    ")};
    problem: ${problems.join(" | ")};
  };\n`,
    matched: facts.matched ? [operationId] : [],
    line: `  ${operationId}: ${JSON.stringify(facts)},\n`,
  };
}

/** The text of src/api/generated.ts. */
export function apiClientText(description) {
  // As it goes over the wire: what is undefined is not there.
  const document = JSON.parse(JSON.stringify(description));
  const components = Object.entries(document.components.schemas).map(([name, schema]) => {
    const about = typeof schema.description === "string" ? comment(schema.description, "  ") : "";
    return `${about}  export type ${name} = ${typeOf(schema, "  ")};\n`;
  });
  const described = operationsOf(document).map((operation) => describeOne(document, operation));
  const codes = Object.keys(document["x-problems"]).toSorted((one, other) => (one < other ? -1 : 1));
  return `${HEADER}
/** A list: CSV, or rows of JSON one a line. */
export type ListBody = string | Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>>;

/** What kinds of problems there are. They never change their meaning. */
export type ProblemCode =
${codes.map((code) => `  | ${JSON.stringify(code)}`).join("\n")};

export declare namespace components {
${components.join("")}}

/** Every route, by its name: what it takes, what it answers, and how it may refuse. */
export interface Operations {
${described.map(({ type }) => type).join("")}}

/** Operations that replace what somebody else may have replaced meanwhile: they take \`ifMatch\`. */
export type MatchedName =
${described.flatMap(({ matched }) => matched.map((name) => `  | ${JSON.stringify(name)}`)).join("\n")};

/** What a request is made of. */
export interface OperationFacts {
  readonly method: string;
  /** With its parameters in braces. */
  readonly path: string;
  /** It heeds \`Idempotency-Key\`. */
  readonly keyed?: true;
  /** Its body is a list. */
  readonly list?: true;
  /** It heeds \`If-Match\`. */
  readonly matched?: true;
  /** It answers with text, and no JSON. */
  readonly raw?: true;
}

export const OPERATIONS: { readonly [Name in keyof Operations]: OperationFacts } = {
${described.map(({ line }) => line).join("")}};
`;
}
