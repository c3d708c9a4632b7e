import path from "node:path";

import {
  readAutomationDefinition,
  workflowFileOf,
  type AutomationDefinition,
} from "../../domain/automations/automation.ts";
import { readDefinitionFile } from "../definition-file.ts";
import { explain } from "../errors.ts";
import { LARGEST_YAML_BYTES, readYamlFile } from "../yaml-file.ts";

/**
 * Reads an automation from a YAML or JSON file, with or without its `kind`. A workflow's file is found beside it.
 *
 * @throws CliError with every problem at once, each with its line and field.
 */
export function readAutomationFile(file: string): AutomationDefinition {
  return readDefinitionFile(file, {
    kind: "automation",
    largestBytes: LARGEST_YAML_BYTES,
    read: readAutomationDefinition,
    complete: (value, say) => withWorkflow(file, value, say),
  });
}

/** Puts what stands in the file of `workflow: { file: ... }` in its place. */
export function withWorkflow(
  file: string,
  value: unknown,
  say: (field: string, problem: string) => void,
): unknown {
  const named = workflowFileOf(value);
  if (named === undefined || typeof value !== "object") return value;
  try {
    return { ...value, workflow: readWorkflowFile(path.resolve(path.dirname(file), named)) };
  } catch (error) {
    say("workflow.file", explain(error).message);
    // So that its other fields are looked at, too.
    return { ...value, workflow: {} };
  }
}

/** A workflow as the platform exports it. @throws CliError where it can't be read. */
export function readWorkflowFile(file: string): unknown {
  return readYamlFile(file, { what: "a workflow" }).value;
}
