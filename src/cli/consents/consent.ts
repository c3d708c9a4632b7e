import { Option } from "commander";

import { CONSENT_BASES } from "../../domain/policy/consent.ts";
import type { CliCommand } from "../cli-command.ts";
import { jsonOption, regionOption } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { listing } from "../view/report.ts";
import { countText, momentText } from "../view/words.ts";
import { stoppedText } from "../suppressions/scope.ts";

const brandOption = () => new Option("--brand <brand>", "whose calls it is about; without it, `default`");

interface AddOptions {
  basis: string;
  at: string;
  proof?: string;
  expires?: string;
  brand?: string;
  defaultRegion?: string;
}

/** Consent to be called: what people said, and took back. */
export function registerConsentCommands(consent: CliCommand): void {
  consent
    .command("add")
    .description("Keeps that people consented to calls of a brand. Lists bring theirs in columns.")
    .argument("<phone...>", "numbers")
    .addOption(
      new Option("--basis <basis>", "on what ground")
        .choices(Object.keys(CONSENT_BASES))
        .makeOptionMandatory(),
    )
    .requiredOption("--at <time>", "when it was given, as in 2026-03-01T14:05:00Z, or the day 2026-03-01")
    .option("--proof <text>", "where it can be seen: a form, a recording, a document")
    .option("--expires <time>", "until when it holds; without it, until it is withdrawn")
    .addOption(brandOption())
    .addOption(regionOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      "\nExample:\n  outdial consent add +12025550143 --basis express_written --at 2026-03-01 --proof https://crm.example/forms/81",
    )
    .does(async ({ config, voice }, phones: string[], options: AddOptions) => {
      const { basis, at, proof, expires, brand, defaultRegion } = options;
      const entries = phones.map((phone) => ({ phone, basis, at, proof, expires_at: expires }));
      const result = await withRunningSystem(config, (api) =>
        api.consents.add({ entries, brand, default_region: defaultRegion }),
      );
      voice.tell([
        `${countText(result.added, "consent")} recorded${result.already > 0 ? `, ${result.already} were already` : ""}`,
      ]);
      voice.json(result);
    });

  consent
    .command("withdraw")
    .description(
      "Keeps that somebody does not consent to calls of a brand any more; batches that are dialing the number are stopped.",
    )
    .argument("<phone>", "the number")
    .requiredOption("--reason <text>", "why; it is kept for good")
    .addOption(brandOption())
    .addOption(regionOption())
    .addOption(jsonOption())
    .does(
      async (
        { config, voice },
        phone: string,
        { reason, brand, defaultRegion }: { reason: string; brand?: string; defaultRegion?: string },
      ) => {
        const result = await withRunningSystem(config, (api) =>
          api.consents.withdraw({ phone, reason, brand, default_region: defaultRegion }),
        );
        voice.tell([
          `consent of ${result.phone} is withdrawn for ${result.brand}${stoppedText(result.stopped_batches)}`,
          "campaigns that ask for no consent go on calling: outdial suppress add keeps every call away",
        ]);
        voice.json(result);
      },
    );

  consent
    .command("show")
    .description("Shows what was said about calls of a brand to a number, the newest first.")
    .argument("<phone>", "the number")
    .addOption(brandOption())
    .addOption(jsonOption())
    .does(async ({ config, voice }, phone: string, { brand }: { brand?: string }) => {
      const { items } = await withRunningSystem(config, (api) => api.consents.list({ phone, brand }));
      const rows = items.map((item) => [
        item.basis ?? "withdrawn",
        momentText(item.at, Date.now()),
        item.expires_at === null ? "" : `until ${momentText(item.expires_at, Date.now())}`,
        item.source,
        item.proof ?? "",
      ]);
      const headings = ["basis", "at", "", "came by", "proof"];
      voice.present(listing("nothing was said", headings, rows, voice.colours));
      voice.json({ items });
    });
}
