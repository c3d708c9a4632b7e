import type { TriggerAuth } from "../../../../domain/triggers/trigger-auth.ts";
import { verifyBearer } from "./bearer.ts";
import { verifyHmac } from "./hmac.ts";
import { verifyHubSpot } from "./hubspot.ts";
import type { IncomingRequest, Verdict } from "./incoming.ts";
import { verifyStandardWebhooks } from "./standard-webhooks.ts";

export type { IncomingRequest, Verdict } from "./incoming.ts";

/**
 * Whether a request comes from who holds the trigger's secret, by the scheme that the trigger asks for. A replay
 * within the tolerance passes: that it changes nothing is the idempotency key's work (I5).
 *
 * 400 is a request that no sender of this scheme makes, such as one with a header twice; 401 is one that shows
 * nothing, or nothing that fits.
 *
 * @throws UnknownSecretError, UnusableSecretError: our own settings are wrong, which is not the sender's fault.
 */
export function verify(auth: TriggerAuth, request: IncomingRequest): Verdict {
  switch (auth.scheme) {
    case "standard_webhooks":
      return verifyStandardWebhooks(auth, request);
    case "hubspot_v3":
      return verifyHubSpot(auth, request);
    case "hmac":
      return verifyHmac(auth, request);
    case "bearer":
      return verifyBearer(auth, request);
  }
}
