import { z } from "zod";

import { share, times } from "./fault-fields.ts";

/** Only executions of this workflow; of any without it. */
const workflow = { workflow_id: z.string().optional() };

/** Faults of the execution engine; a part of the faults in faults.ts. */
export const workflowFaults = [
  /** Executions come to this, whatever the seed says. `stuck` ones never end. */
  z.strictObject({
    kind: z.literal("execution"),
    outcome: z.enum(["success", "failed", "timeout", "stuck"]),
    error: z.string().min(1).max(500).optional(),
    ...workflow,
    share,
    times,
  }),
  /** Executions take so many milliseconds of the real world longer, timeout or not. */
  z.strictObject({ kind: z.literal("execution_slow"), ms: z.number().min(0), ...workflow, times }),
] as const;
