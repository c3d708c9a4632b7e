import { withField } from "./draft.ts";

const FIRST = `name: welcome
brand: default
agent_id: ""
from_numbers: [""]
steps:
  - id: call
    call: {}
    on: { answered: done, unknown: done, otherwise: later }
  - id: later
    wait: { for: 1d }
    next: call
  - id: done
    exit: { outcome: reached }
`;

/** What a new sequence begins with. It names its brand: the API takes that, and not the one that is looked at. */
export function firstSequence(brand: string): string {
  return withField(FIRST, ["brand"], brand);
}
