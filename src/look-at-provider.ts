import type { Config } from "./config.ts";
import { createOutbound } from "./outbound/client.ts";
import { createSignInProvider } from "./outbound/sign-in-provider.ts";

/** What the OpenID Connect provider says of itself; undefined: none is set. @throws ProviderAwayError */
export async function lookAtProvider({
  people: { oidc },
  outboundAllow,
}: Pick<Config, "people" | "outboundAllow">): Promise<{ issuer: string } | undefined> {
  if (!oidc) return undefined;
  const outbound = createOutbound({ allow: outboundAllow });
  try {
    return await createSignInProvider(oidc, { outbound, now: Date.now }).look();
  } finally {
    await outbound.close();
  }
}
