import type { CliCommand } from "../cli-command.ts";
import { callerText } from "../../domain/ground/access.ts";
import { jsonOption } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";

export function registerWhoami(program: CliCommand): void {
  program
    .command("whoami")
    .description("Shows who the running system takes you for, and what you may.")
    .addOption(jsonOption())
    .does(async ({ config, voice }) => {
      const me = await withRunningSystem(config, (api) => api.access.me());
      const brands = me.brands === null ? "every brand" : me.brands.join(", ");
      const who =
        me.kind === "system" ? "the system's own token, or somebody on its machine" : callerText(me);
      voice.present([`${who}: ${me.role} for ${brands}; in the audit ${me.actor}`]);
      voice.json(me);
    });
}
