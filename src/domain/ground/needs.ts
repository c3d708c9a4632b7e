/*
 * What a definition needs that stands outside of it. All of it can be known before the first call: a follow-up whose
 * secret is missing fails for everybody, and for nobody before the first of them was called.
 */

/** One thing, and the field that asks for it. */
export type Need = { field: string } & (
  | { kind: "address"; url: string }
  | { kind: "secret"; name: string; signs: boolean }
  | { kind: "automation"; workflowId: string }
  | { kind: "declared_automation"; name: string }
  | { kind: "source"; brand: string; name: string }
  | { kind: "sequence"; brand: string; name: string }
  | { kind: "campaign"; brand: string; name: string }
);

/** Below these are names that their author, or the platform, chose. What stands there is an expression or a text. */
const CHOSEN = new Set(["data", "variables", "set", "trigger_config"]);

/** Everything that a definition needs, once for each field. */
export function needsOf(definition: unknown): Need[] {
  return inside(definition, "", "default");
}

function inside(value: unknown, path: string, brand: string): Need[] {
  if (Array.isArray(value))
    return value.flatMap((inner: unknown, index) => inside(inner, `${path}[${index}]`, brand));
  if (!isGroup(value)) return [];
  const own = typeof value["brand"] === "string" ? value["brand"] : brand;
  return Object.entries(value).flatMap(([field, inner]) => {
    // What the platform's own JSON calls so is its affair.
    if (CHOSEN.has(field) || (field === "workflow" && path === "")) return [];
    const at = path === "" ? field : `${path}.${field}`;
    if (field === "requires_sources" && Array.isArray(inner))
      return inner.flatMap((name: unknown) =>
        typeof name === "string" ? [{ kind: "source" as const, field: at, brand: own, name }] : [],
      );
    if (field === "headers") return ofHeaders(inner, at, own);
    // A schedule that has its campaign's spec makes the campaign itself.
    if (at === "run.campaign" && value["spec"] !== undefined) return [];
    return typeof inner === "string" ? needOf(field, inner, at, own) : inside(inner, at, own);
  });
}

/** A header may have any name; only what names a secret is looked at. */
function ofHeaders(headers: unknown, path: string, brand: string): Need[] {
  if (!isGroup(headers)) return [];
  return Object.entries(headers).flatMap(([header, given]) => inside(given, `${path}.${header}`, brand));
}

function needOf(field: string, text: string, at: string, brand: string): Need[] {
  switch (field) {
    case "url":
      return [{ kind: "address", field: at, url: text }];
    case "secret":
      return [{ kind: "secret", field: at, name: text, signs: /(?:webhook|scrub)\.secret$/.test(at) }];
    case "workflow_id":
      return [{ kind: "automation", field: at, workflowId: text }];
    case "sequence":
      return [{ kind: "sequence", field: at, brand, name: text }];
    case "automation":
      return at === "run.automation" ? [{ kind: "declared_automation", field: at, name: text }] : [];
    case "campaign":
      return at === "run.campaign" ? [{ kind: "campaign", field: at, brand, name: text }] : [];
    default:
      return [];
  }
}

function isGroup(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
