import { stringify } from "yaml";

/** What a new sequence begins with. It names its brand: the API takes that, and not the one that is looked at. */
export function firstSequence(brand: string): string {
  return `name: welcome
brand: ${stringify(brand).trim()}
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
}
