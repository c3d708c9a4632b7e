import type { CliCommand } from "../cli-command.ts";
import type { SuppressionRemovedWire } from "../../http/wire/suppressions.ts";
import { jsonOption, regionOption } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { scopeOption, type ScopeOptions } from "./scope.ts";

interface RemoveOptions extends ScopeOptions {
  source?: string;
  reason: string;
}

export function registerSuppressRemove(suppress: CliCommand): void {
  suppress
    .command("remove")
    .grave()
    .description("Takes a number's suppression back. What was, and why, is kept.")
    .argument("<phone>", "the number")
    .requiredOption("--reason <text>", "why; it is kept for good")
    .addOption(scopeOption())
    .option(
      "--source <source>",
      "only what this source said, as list shows it; needed where the person's own word stands beside another",
    )
    .addOption(regionOption())
    .addOption(jsonOption())
    .does(async ({ config, voice }, phone: string, options: RemoveOptions) => {
      const { brand, source, reason, defaultRegion } = options;
      const removed = await withRunningSystem(config, (api) =>
        api.suppressions.remove({ phone, brand, source, reason, defaultRegion }),
      );
      voice.tell(removedText(removed, brand));
      voice.json(removed);
    });
}

function removedText(
  { phone, taken_back, still }: SuppressionRemovedWire,
  brand: string | undefined,
): string[] {
  const words = taken_back.map(({ source, reason }) => `taken back: ${reason} (${source})`);
  if (still.length === 0)
    return [...words, `${phone} may be dialed again${brand === undefined ? "" : ` for ${brand}`}`];
  return [
    ...words,
    ...still.map(
      ({ brand: of, source, reason }) =>
        `${phone} is still not dialed ${of === null ? "for any brand" : `for ${of}`}: ${reason} (${source})`,
    ),
  ];
}
