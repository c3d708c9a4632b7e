import type { CampaignSpec } from "./campaign-spec.ts";
import { withoutSecrets } from "../ground/literal-secrets.ts";

export interface FieldDifference {
  field: string;
  before: string;
  after: string;
  /** Whether a campaign that exists may take the change (`amend`); the others make it another campaign. */
  amendable: boolean;
}

/** What a campaign that is under way may change: its pace and its policy, not who calls whom. */
export const AMENDABLE: ReadonlySet<string> = new Set([
  "concurrency",
  "ramp_up",
  "weight",
  "priority",
  "retry",
  "order",
  "window",
  "holidays",
  "exceptions",
  "presets",
  "override",
  "frequency",
  "numbers",
  "caller_ids",
  "canary",
  "breaker",
  "on_agent_change",
  "transfers",
  "budget",
  "consent",
  "requires_sources",
  "starts_at",
  "ends_at",
  "analysis",
  "follow_ups",
  "inbound",
  "not_called_within",
  "least_gap",
  "contacts",
]);

/** Why a field can't change under way, where that is not plain. */
export function whyFixed(field: string): string {
  if (field === "variants") return ", and who gets which was drawn from them";
  if (field === "zones") return ", and the zones of its contacts were found when they were taken";
  if (field === "sensitive") return ", and what is sensitive was encrypted when its contacts were taken";
  return field === "contact_priority"
    ? ", and its contacts were put in their order when they were taken"
    : "";
}

/** The fields in which two specs differ, by name, in the order of the first. */
export function specDifference(before: CampaignSpec, after: CampaignSpec): FieldDifference[] {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)]);
  const differences: FieldDifference[] = [];
  for (const field of fields) {
    const was = before[field as keyof CampaignSpec];
    const is = after[field as keyof CampaignSpec];
    if (canonical(was) === canonical(is)) continue;
    differences.push({ field, before: shown(was), after: shown(is), amendable: AMENDABLE.has(field) });
  }
  return differences;
}

/** Without secrets' values: a spec from before they were refused may hold some. */
function shown(value: unknown): string {
  return canonical(withoutSecrets(value));
}

/** JSON with sorted keys, so that the order in which a file names them is no difference. */
function canonical(value: unknown): string {
  if (value === undefined) return "(not set)";
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === "object" && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
