import { STATUS_CODES } from "node:http";

import { BODY_EXAMPLES, LIST_EXAMPLES, TEXT_EXAMPLES } from "./examples.ts";
import { DEFINITION_FIELDS } from "./definitions.ts";
import { isFields, type Fields } from "./json.ts";
import { OPERATIONS } from "./operations.ts";
import type { Operation } from "./operations/operation.ts";
import { PARAMETERS } from "./parameters.ts";
import { refusalsOf, type RouteFacts } from "./problem-rules.ts";
import { PROBLEMS } from "./problem-words.ts";
import { sampleOf } from "./sample.ts";
import type { ProblemCode } from "../wire/problem.ts";

const header = (name: string, description: string, schema: Fields, example: string) => ({
  name,
  in: "header",
  required: false,
  description,
  schema: { type: "string", ...schema },
  example,
});

/** Headers of requests, which many routes share. */
export const HEADERS: Record<string, ReturnType<typeof header>> = {
  IdempotencyKey: header(
    "Idempotency-Key",
    "Makes it the same request when it comes again: the answer that there was is given once more, for 7 days.",
    { minLength: 1, maxLength: 200, pattern: "^[\\x20-\\x7e]+$" },
    "9f1c7c0e-3f6b-4a55",
  ),
  IfMatch: header(
    "If-Match",
    "Only while what is replaced is what was looked at: `ETag` of the answer that showed it. Otherwise 412, and nothing is changed.",
    { minLength: 1, maxLength: 2_000 },
    '"8d0c2b6e1f3a4957c1d2e3f4-0a1b2c3d4e5f60718293a4b5"',
  ),
  IfNoneMatch: header(
    "If-None-Match",
    "`ETag` of an earlier answer: where nothing is different, 304 without a body.",
    { minLength: 1, maxLength: 2_000 },
    '"8d0c2b6e1f3a4957c1d2e3f4-0a1b2c3d4e5f60718293a4b5"',
  ),
  Actor: header(
    "x-outdial-actor",
    "Who asks, for the audit; beside the name of the token, where one is shown.",
    { minLength: 1, maxLength: 100, pattern: "^[\\x20-\\x7e]+$" },
    "dashboard",
  ),
};

/** Refusals that many routes share, by their status and their codes. */
const SHARED: Readonly<Record<string, string>> = {
  "400 invalid_request": "Malformed",
  "401 unauthorized token_expired token_revoked session_over": "Unauthorized",
  "413 too_large": "TooLarge",
  "414 invalid_request": "AddressTooLong",
  "415 unsupported_media_type": "UnsupportedMediaType",
  "429 rate_limited": "RateLimited",
  "500 internal_error": "InternalError",
  "503 ledger_unavailable": "LedgerUnavailable",
  "507 ledger_full": "LedgerFull",
};

export const PROBLEM_RESPONSES: Record<string, Fields> = Object.fromEntries(
  Object.entries(SHARED).map(([key, name]) => {
    const [status = "", ...codes] = key.split(" ");
    return [name, problemResponse(Number(status), codes.filter(isCode))];
  }),
);

function isCode(word: string): word is ProblemCode {
  return Object.hasOwn(PROBLEMS, word);
}

function problemResponse(status: number, codes: readonly ProblemCode[]): Fields {
  const [first] = codes;
  const waits = status === 429 || status === 503 || codes.includes("request_under_way");
  return {
    description: codes.map((code) => `\`${code}\`: ${PROBLEMS[code].when}.`).join("\n"),
    ...(waits && {
      headers: {
        "Retry-After": { description: "After how many seconds to ask again.", schema: { type: "string" } },
      },
    }),
    content: {
      "application/problem+json": {
        schema: {
          allOf: [
            { $ref: "#/components/schemas/Problem" },
            { type: "object", properties: { code: { type: "string", enum: codes } } },
          ],
        },
        example: {
          type: `/openapi.json#/x-problems/${first}`,
          title: STATUS_CODES[status] ?? "Problem",
          status,
          code: first,
          detail: first === undefined ? "" : `${PROBLEMS[first].when}: ${PROBLEMS[first].remedy}`,
          instance: "urn:uuid:5f0c2f4e-6f2b-4a55-9d6c-0e1b1b0f3c9d",
        },
      },
    },
  };
}

const SUCCESSES: Readonly<Record<string, string>> = {
  200: "What was asked for.",
  201: "It was made.",
  202: "It was taken, for good; what it asks for happens within moments.",
};

type Facts = RouteFacts & { consumes: readonly string[]; isBodyNeeded: boolean };

/** A route's description, whole: what its schemas say, and what this folder knows beside them. */
export function describeOperation(described: Fields, facts: Facts, components: Fields): Fields {
  const operation = operationCalled(String(described["operationId"]));
  const body = bodyOf(described["requestBody"], operation.id, facts);
  return {
    ...described,
    parameters: [...parametersOf(described["parameters"], operation.id), ...headersOf(facts, body)],
    ...(body && { requestBody: body }),
    responses: {
      ...successesOf(described["responses"], operation.id, facts, components),
      ...Object.fromEntries(
        [...refusalsOf(operation, facts)].map(([status, codes]) => {
          const shared = SHARED[[status, ...codes].join(" ")];
          const response =
            shared === undefined
              ? problemResponse(status, [...codes])
              : { $ref: `#/components/responses/${shared}` };
          return [String(status), response];
        }),
      ),
    },
  };
}

function operationCalled(id: string): Operation {
  const found = Object.values(OPERATIONS).find((operation) => operation.id === id);
  if (!found) throw new Error(`no operation is called ${id}`);
  return found;
}

/** @throws Error where nobody says what a parameter means */
function parametersOf(parameters: unknown, id: string): unknown[] {
  return (Array.isArray(parameters) ? parameters : []).map((parameter: Fields) => {
    const name = String(parameter["name"]);
    const { description = PARAMETERS[`${id}.${name}`] ?? PARAMETERS[name] } = parameter;
    if (description === undefined)
      throw new Error(
        `nobody says what ${name} of ${id} means: say it in src/http/description/parameters.ts`,
      );
    return { ...parameter, description };
  });
}

function headersOf(
  { method, access, authenticatesItself, requestKey, etag }: Facts,
  body?: Fields,
): unknown[] {
  const named = (name: string) => ({ $ref: `#/components/parameters/${name}` });
  if (authenticatesItself || access.role === undefined) return [];
  if (method === "GET") return etag === "shown" ? [named("IfNoneMatch")] : [];
  const heedsKey = requestKey !== "own" || JSON.stringify(body ?? {}).includes('"request_key"');
  return [
    ...(heedsKey ? [named("IdempotencyKey")] : []),
    ...(etag === "heeded" ? [named("IfMatch")] : []),
    named("Actor"),
  ];
}

function bodyOf(given: unknown, id: string, facts: Facts): Fields | undefined {
  const example = BODY_EXAMPLES[id];
  if (facts.authenticatesItself) {
    // Whatever the other system sends.
    const content = Object.fromEntries(facts.consumes.map((type) => [type, { schema: {}, example }]));
    return { required: true, content };
  }
  if (!isFields(given)) return undefined;
  const content = isFields(given["content"]) ? given["content"] : {};
  if (Object.hasOwn(content, "text/csv")) {
    const lists = Object.entries(content).map(([type, media]) => [type, listMedia(type, media)]);
    return { ...given, required: true, content: Object.fromEntries(lists) };
  }
  const media = Object.entries(content).map(([type, one]) => [
    type,
    { schema: withDefinition(isFields(one) ? one["schema"] : {}, id), example },
  ]);
  return { ...given, required: facts.isBodyNeeded, content: Object.fromEntries(media) };
}

function listMedia(type: string, media: unknown): unknown {
  const [, example = LIST_EXAMPLES["text/csv"]] =
    Object.entries(LIST_EXAMPLES).find(([name]) => name === type) ?? [];
  return { ...(isFields(media) ? media : {}), example };
}

/** A body's schema, with that of the document which one of its fields is. */
function withDefinition(schema: unknown, id: string): unknown {
  const definition = DEFINITION_FIELDS[id];
  if (!definition || !isFields(schema) || !isFields(schema["properties"])) return schema;
  const { field, component } = definition;
  const $ref = `#/components/schemas/${component}`;
  return { ...schema, properties: { ...schema["properties"], [field]: { $ref } } };
}

function successesOf(responses: unknown, id: string, facts: Facts, components: Fields): Fields {
  const known = isFields(responses) ? responses : {};
  const text = TEXT_EXAMPLES[id];
  const headers = {
    ...(facts.method !== "GET" &&
      facts.requestKey === undefined && {
        "Idempotency-Replayed": {
          description: "`true`: the answer to the same request, given once more.",
          schema: { type: "string", enum: ["true"] },
        },
      }),
    ...(facts.etag === "shown" && {
      ETag: {
        description:
          "Of this answer: for `If-None-Match`, and for `If-Match` of whatever replaces what it shows.",
        schema: { type: "string" },
      },
    }),
  };
  const successes = Object.entries(known).map(([status, response]) => {
    if (status === "204") return [status, { description: "It is done; there is nothing to say." }];
    const { content } = isFields(response) ? response : {};
    const said = text === undefined ? jsonContent(content, components) : textContent(id, text);
    const about = { description: SUCCESSES[status] ?? "What was asked for." };
    return [status, { ...about, ...(Object.keys(headers).length > 0 && { headers }), content: said }];
  });
  const unchanged = { description: "It is what `If-None-Match` names, to the last byte.", headers };
  return Object.fromEntries([...successes, ...(facts.etag === "shown" ? [["304", unchanged]] : [])]);
}

function jsonContent(content: unknown, components: Fields): Fields {
  if (!isFields(content)) return {};
  const media = Object.entries(content).map(([type, one]) => {
    const schema = isFields(one) && isFields(one["schema"]) ? one["schema"] : {};
    return [type, { schema, example: sampleOf(schema, components) }];
  });
  return Object.fromEntries(media);
}

const TEXT_TYPES: Readonly<Record<string, string>> = {
  drawSequence: "text/plain",
  readRecording: "application/octet-stream",
  readRecordingOfPerson: "application/octet-stream",
  followEvents: "text/event-stream",
};

function textContent(id: string, example: string): Fields {
  const type = TEXT_TYPES[id] ?? "text/csv";
  const isBinary = type === "application/octet-stream";
  return { [type]: { schema: { type: "string", ...(isBinary && { format: "binary" }) }, example } };
}
