import type { InFlight } from "./deps.ts";
import type { InFlightWire } from "./wire/campaigns.ts";
export function inFlightView({ batches, callsUp, uncertain }: InFlight): InFlightWire {
  return { batches, calls_up: callsUp, uncertain };
}
