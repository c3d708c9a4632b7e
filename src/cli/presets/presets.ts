import { presetNamed, presetProblem } from "../../domain/policy/presets/registry.ts";
import { presetListView, presetView } from "../../http/wire/preset-view.ts";
import type { PresetWire } from "../../http/wire/presets.ts";
import type { CliCommand } from "../cli-command.ts";
import { CliError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import { jsonOption } from "../options.ts";
import { countText } from "../view/words.ts";

const NO_ADVICE =
  "Rules as they were read on the day of their review, strictly where in doubt. No legal advice.";

export function registerPresets(presets: CliCommand): void {
  presets
    .command("list")
    .description("Lists the presets that a campaign may name, in their newest versions.")
    .addOption(jsonOption())
    .does(async ({ voice }) => {
      const list = presetListView();
      voice.present(presetListLines(list.items));
      voice.json(list);
    });
  presets
    .command("show")
    .description(
      "Shows each rule of a preset with its source: what it says, where it holds, and how it is lifted.",
    )
    .argument("<preset>", "its name, or name and version such as us-states@2026.1")
    .addOption(jsonOption())
    .addHelpText("after", "\nExample:\n  outdial presets show us-states")
    .does(async ({ voice }, name: string) => {
      const preset = presetNamed(name);
      if (preset === undefined)
        throw new CliError(`"${name}" ${presetProblem(name) ?? "is not known"}`, EXIT.badInput, {
          code: "unknown_preset",
        });
      const view = presetView(preset);
      voice.present(presetLines(view));
      voice.json(view);
    });
}

/** Each with what it is about on a line of its own, so that both fit into a narrow terminal. Pure. */
export function presetListLines(items: readonly PresetSummary[]): string[] {
  const widest = Math.max(...items.map(({ id, version }) => `${id}@${version}`.length));
  return items.flatMap(({ id, version, reviewed, rules, title }) => [
    `${`${id}@${version}`.padEnd(widest)}  ${countText(rules, "rule")}, reviewed ${reviewed}`,
    `  ${title}`,
  ]);
}

type PresetSummary = ReturnType<typeof presetListView>["items"][number];

/** A preset as a person reads it. Pure. */
export function presetLines({ id, version, title, reviewed, needs, rules }: PresetWire): string[] {
  return [
    `${id} ${version}: ${title}`,
    `  reviewed ${reviewed}${needs.length === 0 ? "" : `; goes with ${needs.join(", ")}`}. ${NO_ADVICE}`,
    ...rules.flatMap((rule) => [
      "",
      `  ${rule.id}`,
      `    ${rule.where}: ${rule.says}`,
      `    ${rule.source}, ${rule.dated}`,
      `    ${rule.url}`,
      ...(rule.note === null ? [] : [`    ${rule.note}`]),
    ]),
  ];
}
