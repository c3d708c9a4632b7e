import type { Config } from "../../config.ts";
import { ProviderAwayError } from "../../domain/ground/sign-in-provider.ts";
import { fail, ok, type Check } from "./check.ts";

/** Whether the OpenID Connect provider answers, as this machine sees it. Nothing where people sign in otherwise. */
export async function checkSignIn({
  people: { oidc },
  outboundAllow,
}: Pick<Config, "people" | "outboundAllow">): Promise<Check[]> {
  if (!oidc) return [];
  const [{ createOutbound }, { createSignInProvider }] = await Promise.all([
    import("../../outbound/client.ts"),
    import("../../outbound/sign-in-provider.ts"),
  ]);
  const outbound = createOutbound({ allow: outboundAllow });
  try {
    const { issuer } = await createSignInProvider(oidc, { outbound, now: Date.now }).look();
    return [ok("sign-in", `${issuer} answers; it has to send people back to ${oidc.redirectUri}`)];
  } catch (error) {
    if (!(error instanceof ProviderAwayError)) throw error;
    return [
      fail(
        "sign-in",
        error.message,
        "until it answers, people sign in by links (`outdial sign-in`) and tokens; one in a private network is named in OUTDIAL_OUTBOUND_ALLOW",
      ),
    ];
  } finally {
    await outbound.close();
  }
}
