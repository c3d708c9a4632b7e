import os from "node:os";

import type { Config } from "../config.ts";
import { TOKEN_NAME, type Role } from "../domain/ground/access.ts";
import { reasonWords } from "../domain/ground/reason-words.ts";
import type { Api } from "./api/client.ts";
import type { CliContext, Voice } from "./context.ts";

/*
 * Links to the dashboard that sign in once. A link's code stands behind `#`, which browsers send to nobody; it is told
 * to a person, on a terminal or on standard error, and written to no log and into no answer for programs but that of
 * `outdial sign-in`, which is asked for it.
 */

export interface LinkHolder {
  name: string;
  role: Role;
  brands?: readonly string[] | undefined;
}

/** Who sits here: the audit calls whoever opens the link by it. */
export function nameHere(): string {
  try {
    const name = os.userInfo().username.toLowerCase();
    return TOKEN_NAME.test(name) ? name : "terminal";
  } catch {
    // A user without a name, as some containers have.
    return "terminal";
  }
}

/** Where people open the dashboard of a system that is reached at an address. */
function dashboardAt({ people }: Pick<Config, "people">, url: string): string {
  if (people.publicUrl !== undefined) return people.publicUrl;
  const address = new URL(url);
  // Every address of this machine; this one is there for sure.
  if (address.hostname === "0.0.0.0" || address.hostname === "[::]") address.hostname = "127.0.0.1";
  return address.href.replace(/\/$/, "");
}

/** Makes a link. @throws ApiProblemError or ApiUnreachableError */
export async function makeLink(
  config: Pick<Config, "people">,
  api: Api,
  holder: LinkHolder,
): Promise<{ url: string; code: string; expires_at: string }> {
  const { code, expires_at } = await api.access.signInCode(holder);
  return { url: `${dashboardAt(config, api.address.url)}/#sign-in=${code}`, code, expires_at };
}

/**
 * Tells whoever gave the command at a terminal where the dashboard is, with a link that signs in once. Elsewhere what is
 * said may be kept, and a link is made by `outdial sign-in`.
 */
export async function tellDashboard(
  { stdout, stderr }: Pick<CliContext, "stdout" | "stderr">,
  voice: Voice,
  { config, api }: { config: Config; api: Api },
): Promise<void> {
  const stream = voice.inWords ? stdout : stderr;
  if (stream.isTTY === true) voice.screen.say(await dashboardLine(config, api));
}

/** Never fails: without the link everything goes on. */
export async function dashboardLine(config: Config, api: Api): Promise<string> {
  try {
    const { url } = await makeLink(config, api, { name: nameHere(), role: "admin" });
    return `Dashboard: ${url} (signs in once, within ten minutes)`;
  } catch (error) {
    return `Dashboard: ${dashboardAt(config, api.address.url)} (no link that signs in could be made: ${reasonWords(error)}; try \`outdial sign-in\`)`;
  }
}
