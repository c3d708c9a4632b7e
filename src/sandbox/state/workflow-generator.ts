import type { TriggerType, WorkflowJson } from "../schemas/workflows.ts";
import { isRecord, nodesOf } from "./workflow-credentials.ts";

interface NodeKind {
  readonly name: string;
  readonly type: string;
  readonly credential: string | null;
}

/** What words of a description ask for. Where none of them is found, an HTTP request is made. */
const ACTIONS: readonly (NodeKind & { readonly words: RegExp })[] = [
  { words: /\bslack\b/i, name: "Slack", type: "n8n-nodes-base.slack", credential: "slackApi" },
  { words: /\be-?mails?\b/i, name: "Send email", type: "n8n-nodes-base.emailSend", credential: "smtp" },
  {
    words: /\b(hubspot|crm)\b/i,
    name: "HubSpot",
    type: "n8n-nodes-base.hubspot",
    credential: "hubspotAppToken",
  },
  {
    words: /\b(google )?(spread)?sheets?\b/i,
    name: "Google Sheets",
    type: "n8n-nodes-base.googleSheets",
    credential: "googleSheetsOAuth2Api",
  },
  { words: /\b(sms|twilio)\b/i, name: "Twilio", type: "n8n-nodes-base.twilio", credential: "twilioApi" },
];

const FALLBACK: NodeKind = { name: "HTTP Request", type: "n8n-nodes-base.httpRequest", credential: null };
const CONDITION: NodeKind = { name: "If", type: "n8n-nodes-base.if", credential: null };

const TRIGGERS: Readonly<Record<TriggerType, NodeKind>> = {
  post_call: { name: "Call ended", type: "n8n-nodes-base.webhook", credential: null },
  in_call: { name: "Asked by agent", type: "n8n-nodes-base.webhook", credential: null },
  webhook: { name: "Webhook", type: "n8n-nodes-base.webhook", credential: null },
  schedule: { name: "Schedule", type: "n8n-nodes-base.scheduleTrigger", credential: null },
};

/** Pixels between two nodes on n8n's canvas. */
const SPACING = 220;

/**
 * A small workflow in n8n's format, made from a description by its words: the same description always gives the same
 * workflow.
 */
export function generateWorkflow(name: string, trigger: TriggerType, description: string): WorkflowJson {
  const actions = kindsIn(description);
  const kinds = [TRIGGERS[trigger], ...(actions.length === 0 ? [FALLBACK] : actions)];
  return {
    name,
    nodes: kinds.map((kind, index) => nodeOf(kind, index, index === 0 ? {} : { note: description })),
    connections: Object.fromEntries(
      kinds.slice(0, -1).map((kind, index) => [kind.name, connectionTo(kinds[index + 1]?.name ?? "")]),
    ),
    settings: { executionOrder: "v1" },
  };
}

/**
 * The workflow with what the feedback asks for behind its last node. Feedback whose words say nothing that is not
 * there already is noted on the last node.
 */
export function refineWorkflow(json: WorkflowJson, feedback: string): WorkflowJson {
  const nodes = nodesOf(json);
  const names = new Set(nodes.map((node) => nameOf(node)));
  const added = kindsIn(feedback).filter((kind) => !names.has(kind.name));
  if (added.length === 0) {
    return {
      ...json,
      nodes: [...nodes.slice(0, -1), ...nodes.slice(-1).map((node) => noted(node, feedback))],
    };
  }
  const connections: Record<string, unknown> = isRecord(json["connections"])
    ? { ...json["connections"] }
    : {};
  let last = nodes.at(-1);
  const grown = [...nodes];
  for (const kind of added) {
    if (last !== undefined) {
      connections[nameOf(last)] = connectionTo(kind.name);
    }
    last = nodeOf(kind, grown.length, { note: feedback });
    grown.push(last);
  }
  return { ...json, nodes: grown, connections };
}

/** What leads from where to where in a workflow: as nodes and edges, and as a Mermaid flowchart. */
export function visualize(json: WorkflowJson) {
  const nodes = nodesOf(json).map((node, index) => ({
    id: `n${index}`,
    name: nameOf(node),
    type: typeof node["type"] === "string" ? node["type"] : "",
  }));
  const ids = new Map(nodes.map(({ id, name }) => [name, id]));
  // By name: nodes of one name share their connections, and would multiply them.
  const edges = [...ids].flatMap(([name, id]) =>
    targetsOf(json, name).flatMap((target) => {
      const to = ids.get(target);
      return to === undefined ? [] : [{ from: id, to }];
    }),
  );
  const lines = [
    ...nodes.map(({ id, name }) => `  ${id}["${name.replaceAll('"', "'")}"]`),
    ...edges.map(({ from, to }) => `  ${from} --> ${to}`),
  ];
  return { nodes, edges, mermaid: ["flowchart LR", ...lines, ""].join("\n") };
}

/** The names of the nodes behind a node, by any of its outputs; none where the connections are something else. */
function targetsOf(json: WorkflowJson, name: string): string[] {
  const connections = isRecord(json["connections"]) ? json["connections"] : {};
  const outputs = Object.hasOwn(connections, name) ? connections[name] : null;
  const main = isRecord(outputs) && Array.isArray(outputs["main"]) ? outputs["main"] : [];
  return main
    .flat()
    .flatMap((target: unknown) =>
      isRecord(target) && typeof target["node"] === "string" ? [target["node"]] : [],
    );
}

function kindsIn(text: string): NodeKind[] {
  const actions = ACTIONS.filter(({ words }) => words.test(text));
  return /\b(if|when|only)\b/i.test(text) && actions.length > 0 ? [CONDITION, ...actions] : actions;
}

function nodeOf(kind: NodeKind, index: number, parameters: Record<string, unknown>): Record<string, unknown> {
  return {
    id: `node-${index + 1}`,
    name: kind.name,
    type: kind.type,
    typeVersion: 1,
    position: [index * SPACING, 0],
    parameters,
    ...(kind.credential === null ? {} : { credentials: { [kind.credential]: { name: kind.name } } }),
  };
}

function connectionTo(name: string) {
  return { main: [[{ node: name, type: "main", index: 0 }]] };
}

function noted(node: Record<string, unknown>, feedback: string): Record<string, unknown> {
  const parameters = isRecord(node["parameters"]) ? node["parameters"] : {};
  return { ...node, parameters: { ...parameters, note: feedback } };
}

function nameOf(node: Record<string, unknown>): string {
  return typeof node["name"] === "string" ? node["name"] : "Node";
}
