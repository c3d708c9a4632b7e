import type { InFlightWire } from "./wire/campaigns.ts";
import type { InFlight } from "../commands/ports.ts";
export function inFlightView({ batches, callsUp, uncertain }: InFlight): InFlightWire {
  return { batches, calls_up: callsUp, uncertain };
}
