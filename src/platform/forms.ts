/**
 * Operations that deployments are seen to serve under either of two routes: creating and listing workflows with
 * and without a trailing slash, and the list of schedules with and without `/all`.
 *
 * The contract's form is asked first. Where that is answered in a way that says "not here" (307 or 308, 404,
 * 405; to a read 422, too, where a route for ids has caught it), the other form is asked, on the same origin:
 * the address in a redirect is not followed, since the key would go with it. None of those answers to a write
 * can come after its effect, so nothing is done twice. The form that worked is asked first from then on.
 * Where neither works, the error is the contract's form's, unless the other form was served and refused.
 */
import type { EndpointName } from "./endpoints.ts";
import { PlatformError } from "./errors.ts";
import type { Endpoint } from "./endpoint.ts";

const NOT_HERE = new Set([307, 308, 404, 405]);

export interface Forms {
  /** Sends an operation under the form that is known to work, and under the other where that is not served. */
  send<T>(name: EndpointName, endpoint: Endpoint, send: (endpoint: Endpoint) => Promise<T>): Promise<T>;
}

/** Remembers which form a deployment serves. */
export function openForms(): Forms {
  const preferAlternate = new Set<EndpointName>();
  return {
    send: async (name, endpoint, send) => {
      if (endpoint.alternate === undefined) return send(endpoint);
      const alternate: Endpoint = { ...endpoint, route: endpoint.alternate };
      const preferred = preferAlternate.has(name) ? alternate : endpoint;
      try {
        return await send(preferred);
      } catch (error) {
        if (!isNotHere(error, endpoint)) throw error;
        const other = preferred === endpoint ? alternate : endpoint;
        const answer = await send(other).catch((otherError: unknown) => {
          throw isNotHere(otherError, endpoint) && preferred === endpoint ? error : otherError;
        });
        if (other === alternate) preferAlternate.add(name);
        else preferAlternate.delete(name);
        return answer;
      }
    },
  };
}

function isNotHere(error: unknown, { access }: Endpoint): boolean {
  if (!(error instanceof PlatformError) || error.status === undefined) return false;
  return NOT_HERE.has(error.status) || (access === "read" && error.status === 422);
}
