import type { ActionSpec } from "../follow-ups/actions.ts";

/** What would be done, in a few words. Nothing that is sent: a rehearsal is read by whoever writes rules. */
export function actionWords(spec: ActionSpec): string {
  const trouble = "unplanned" in spec && spec.unplanned !== undefined ? `: ${spec.unplanned}` : "";
  return `${wordsOf(spec)}${trouble}`;
}

function wordsOf(spec: ActionSpec): string {
  switch (spec.kind) {
    case "automation":
      return `automation ${spec.workflowId}`;
    case "webhook":
      return "webhook";
    case "callback":
      if (spec.unreadable !== undefined) return `callback, when a person says so: ${spec.unreadable}`;
      return `callback at ${spec.atMs === undefined ? "a time to be said" : new Date(spec.atMs).toISOString()}`;
    case "suppress":
      return spec.brand === undefined ? "suppress everywhere" : "suppress";
    case "enroll":
      return `enroll in ${spec.sequence}`;
    case "tag":
      return `tag ${spec.tag}`;
    case "recording":
      return spec.absence === undefined ? `recording into ${spec.folder}` : `recording: ${spec.absence}`;
  }
}
