/**
 * The one table of what can be asked of the platform: typed methods, checks, decoding and whoever drives the
 * platform without knowing its operations (a command line) all read it.
 */
import type { z } from "zod";
import type { Endpoint } from "./endpoint.ts";
import { agentOperations } from "./operations/agents.ts";
import { analyticsOperations } from "./operations/analytics.ts";
import { apiKeyOperations } from "./operations/api-keys.ts";
import { batchCallOperations } from "./operations/batch-calls.ts";
import { billingOperations } from "./operations/billing.ts";
import { callOperations } from "./operations/calls.ts";
import { chatOperations } from "./operations/chat.ts";
import { configOperations } from "./operations/config.ts";
import { knowledgeBaseOperations } from "./operations/knowledge-bases.ts";
import type { Operation } from "./operations/operation.ts";
import {
  dispatchRuleOperations,
  phoneNumberOperations,
  sipConnectionOperations,
} from "./operations/phone-numbers.ts";
import { workflowOperations } from "./operations/workflows.ts";

/** By the tables that it is made of: written out, its declaration would be as large as those of all the rest. */
type OperationTable = typeof agentOperations &
  typeof callOperations &
  typeof phoneNumberOperations &
  typeof sipConnectionOperations &
  typeof dispatchRuleOperations &
  typeof batchCallOperations &
  typeof workflowOperations &
  typeof analyticsOperations &
  typeof billingOperations &
  typeof configOperations &
  typeof knowledgeBaseOperations &
  typeof apiKeyOperations &
  typeof chatOperations;

/**
 * Every operation this client speaks, keyed by the method of `Platform` that sends it; in the contract's
 * order, with the contract's names of path parameters.
 */
export const operationTable: OperationTable = {
  ...agentOperations,
  ...callOperations,
  ...phoneNumberOperations,
  ...sipConnectionOperations,
  ...dispatchRuleOperations,
  ...batchCallOperations,
  ...workflowOperations,
  ...analyticsOperations,
  ...billingOperations,
  ...configOperations,
  ...knowledgeBaseOperations,
  ...apiKeyOperations,
  ...chatOperations,
} as const satisfies Record<string, Operation>;

export type EndpointName = keyof typeof operationTable;

/** Where each of them is. */
export const endpoints = Object.fromEntries(
  Object.entries<Operation>(operationTable).map(([name, { endpoint }]) => [name, endpoint]),
) as Readonly<{ [Name in EndpointName]: (typeof operationTable)[Name]["endpoint"] & Endpoint }>;

type ParamsIn<Route extends string> = Route extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamsIn<Rest>
  : never;

/** The path parameters that an operation needs: a missing or misspelt one is a type error. */
export type RouteParams<Name extends EndpointName> = Readonly<
  Record<ParamsIn<(typeof endpoints)[Name]["route"]>, string>
>;

type RulesAt<Name extends EndpointName, Part extends "query" | "body"> =
  (typeof operationTable)[Name] extends Readonly<Record<Part, infer Rules extends z.ZodType>>
    ? z.input<Rules>
    : undefined;

/** What may stand in an operation's query; undefined where there is none. */
export type QueryOf<Name extends EndpointName> = RulesAt<Name, "query">;

/** What may stand in an operation's JSON body; undefined where there is none. */
export type BodyOf<Name extends EndpointName> = RulesAt<Name, "body">;
