import { z } from "zod";

import { UnknownSecretError, UnusableSecretError, webhookKey } from "../../../domain/ground/secrets.ts";
import { checkSource, sourceFields } from "../../../domain/policy/source-definition.ts";
import type { HttpDeps } from "../../deps.ts";
import { Problem } from "../../problem.ts";

/** What a source of suppressions is declared with. */
export const sourceBody = z.strictObject(sourceFields).check(checkSource);

/** @throws Problem 422 where its address would not be sent to, or its secret is not there. */
export async function refuseUnaskable(
  deps: Pick<HttpDeps, "refusalOf" | "secrets">,
  { url, secret }: { url: string; secret: string },
): Promise<void> {
  const refuse = (field: string, detail: string) =>
    new Problem({
      status: 422,
      code: "invalid_request",
      detail: `${field}: ${detail}`,
      errors: [{ field, message: detail }],
    });
  const why = await deps.refusalOf(url);
  if (why !== undefined) throw refuse("scrub.url", why);
  try {
    for (const value of deps.secrets.read(secret, "every")) webhookKey(secret, value);
  } catch (error) {
    if (error instanceof UnknownSecretError || error instanceof UnusableSecretError)
      throw refuse("scrub.secret", error.message);
    throw error;
  }
}
