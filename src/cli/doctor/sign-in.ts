import type { Config } from "../../config.ts";
import { ProviderAwayError } from "../../domain/ground/sign-in-provider.ts";
import type { CliPorts } from "../context.ts";
import { fail, ok, type Check } from "./check.ts";

/** Whether the OpenID Connect provider answers, as this machine sees it. Nothing where people sign in otherwise. */
export async function checkSignIn(
  config: Config,
  { lookAtProvider }: Pick<CliPorts, "lookAtProvider">,
): Promise<Check[]> {
  const { oidc } = config.people;
  if (!oidc) return [];
  try {
    await lookAtProvider(config);
    return [ok("sign-in", `${oidc.issuer} answers; it has to send people back to ${oidc.redirectUri}`)];
  } catch (error) {
    if (!(error instanceof ProviderAwayError)) throw error;
    return [
      fail(
        "sign-in",
        error.message,
        "until it answers, people sign in by links (`outdial sign-in`) and tokens; one in a private network is named in OUTDIAL_OUTBOUND_ALLOW",
      ),
    ];
  }
}
