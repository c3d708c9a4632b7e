import { Option } from "commander";

import { ROLES, type Role } from "../../domain/ground/access.ts";
import type { CliCommand } from "../cli-command.ts";
import { makeLink, nameHere } from "../dashboard-link.ts";
import { jsonOption } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";

const HELP = `
The link lets one browser in, within ten minutes; what is done there is in the audit under the name, as link:NAME. Give
it to nobody else: whoever opens it first is in.

Examples:
  outdial sign-in
  outdial sign-in --role viewer --name ann --brand acme`;

interface SignInOptions {
  role: Role;
  name?: string;
  brand: readonly string[];
}

export function registerSignIn(program: CliCommand): void {
  program
    .command("sign-in")
    .description("Makes a link to the running system's dashboard that signs in once.")
    .addOption(new Option("--role <role>", "what it may").choices(ROLES).default("admin"))
    .option("--name <name>", "what the audit calls whoever opens it; without it, your user's name here")
    .addOption(
      new Option("--brand <brand>", "only for this brand; again for each; without it, for every brand")
        .argParser((text: string, before: readonly string[]) => [...before, text])
        .default([], "every brand"),
    )
    .addOption(jsonOption())
    .addHelpText("after", HELP)
    .does(async ({ config, voice }, { role, name = nameHere(), brand }: SignInOptions) => {
      const link = await withRunningSystem(config, (api) =>
        makeLink(config, api, { role, name, ...(brand.length > 0 && { brands: brand }) }),
      );
      voice.present([`${name}: ${role}, once, until ${link.expires_at}`, link.url]);
      voice.json({ url: link.url, name, role, expires_at: link.expires_at });
    });
}
