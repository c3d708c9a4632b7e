import { z } from "zod";
import { type EndpointName, endpoints, operationTable } from "./endpoints.ts";
import type { Operation } from "./operations/operation.ts";
import { isPathSegment } from "./url.ts";

/** The resources, in the contract's order, with the section that describes their endpoints. */
export const resources = {
  agents: { section: "4.1", title: "Agents" },
  calls: { section: "4.2", title: "Calls" },
  phoneNumbers: { section: "4.3", title: "Phone numbers" },
  sipConnections: { section: "4.3", title: "SIP connections of a phone number" },
  dispatchRules: { section: "4.3", title: "Dispatch rules of a phone number" },
  batchCalls: { section: "4.4", title: "Batch calls" },
  workflows: { section: "4.5", title: "Automations of the platform" },
  analytics: { section: "4.6", title: "Analytics" },
  billing: { section: "4.7", title: "Billing" },
  config: { section: "4.8", title: "Providers, models, languages and defaults" },
  knowledgeBases: { section: "4.9", title: "Knowledge bases" },
  apiKeys: { section: "4.10", title: "API keys" },
  chat: { section: "4.11", title: "Chat sessions" },
} as const;

export type ResourceName = keyof typeof resources;

/** An operation with everything that is known about it. */
export interface OperationEntry extends Operation {
  readonly name: EndpointName;
  /** The part of the name before its dot: a key of `resources` and of `Platform`. */
  readonly resource: ResourceName;
  /** The part of the name after its dot: a method of the resource. */
  readonly action: string;
  /** Of the contract. */
  readonly section: string;
  /** The path's parameters, in its order, with their rules; an empty object where the path has none. */
  readonly params: z.ZodObject;
}

/** An id that stands in a path. */
const segmentRule = z.string().refine(isPathSegment, "must be an id of 1 to 255 characters");

/** Every operation, in the contract's order. */
export const operations: readonly OperationEntry[] = Object.keys(endpoints)
  .filter(isEndpointName)
  .map(entryOf);

const byName = new Map(operations.map((entry) => [entry.name, entry]));

/** The entry of an operation. */
export function operationOf(name: EndpointName): OperationEntry {
  const entry = byName.get(name);
  if (entry === undefined) throw new TypeError(`no such operation: ${name}`);
  return entry;
}

export function isEndpointName(name: string): name is EndpointName {
  return Object.hasOwn(endpoints, name);
}

function entryOf(name: EndpointName): OperationEntry {
  const operation: Operation = operationTable[name];
  const [resource = "", action = ""] = name.split(".");
  if (!isResource(resource)) throw new TypeError(`no such resource: ${resource}`);
  return {
    ...operation,
    name,
    resource,
    action,
    section: resources[resource].section,
    params: paramsOf(operation),
  };
}

function isResource(name: string): name is ResourceName {
  return Object.hasOwn(resources, name);
}

function paramsOf({ endpoint: { route }, params }: Operation): z.ZodObject {
  const names = Array.from(route.matchAll(/\{(\w+)\}/g), ([, name = ""]) => name);
  return z.strictObject(Object.fromEntries(names.map((name) => [name, params?.shape[name] ?? segmentRule])));
}
