import type { CliCommand } from "../cli-command.ts";
import { EXIT } from "../exit-codes.ts";
import { jsonOption } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";

export function registerAttentionTest(attention: CliCommand): void {
  attention
    .command("test")
    .description(
      "Sends a test through every route now, and shows what each answered. Exits with 1 where one did not deliver.",
    )
    .option("--route <name>", "only through this one")
    .addOption(jsonOption())
    .addHelpText("after", "\nExample:\n  outdial attention test --route on-call")
    .does(async ({ config, voice }, { route }: { route?: string; json?: true }) => {
      const { items } = await withRunningSystem(config, (api) => api.notices.test(route));
      voice.tell(
        items.length === 0
          ? ["no routes: nobody is told. See `outdial attention route put`"]
          : items.map(({ route: name, delivered, said }) =>
              delivered
                ? `${name}: delivered (${said})`
                : voice.colours.red(`${name}: not delivered: ${said}`),
            ),
      );
      voice.json({ items });
      return items.every(({ delivered }) => delivered) ? EXIT.ok : EXIT.failed;
    });
}
