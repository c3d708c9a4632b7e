import { InvalidArgumentError } from "commander";

import type { RetentionAnswerWire, RetentionKindWire } from "../../http/wire/people/retention.ts";
import type { CliCommand } from "../cli-command.ts";
import { jsonOption } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { listing } from "../view/report.ts";
import type { Colours } from "../view/colours.ts";
import { countText } from "../view/words.ts";

interface SetOptions {
  reason: string;
}

const HELP = `
<kind>=<duration> says how long something is kept, as in contacts=90d; <kind>=forever keeps it for good. What is older
goes, from the next ten minutes on, in steps. Only a backup brings it back. "retention preview" counts what would go.

Examples:
  outdial retention preview contacts=180d recordings=30d
  outdial retention set contacts=180d recordings=30d --reason "policy 7 of the data protection officer"
  outdial retention set contacts=forever --reason "a lawsuit: everything stays"`;

export function registerRetention(retention: CliCommand): void {
  retention
    .command("show")
    .description("Shows how long what is held of people is kept, by kind, and what went so far.")
    .addOption(jsonOption())
    .does(async ({ config, voice }) => {
      const { kinds } = await withRunningSystem(config, (api) => api.people.retention());
      voice.present(kindLines(kinds, voice.colours));
      voice.json({ kinds });
    });
  retention
    .command("preview")
    .description("Counts what would go if kinds were kept for so long, and changes nothing.")
    .argument("[kinds...]", "as in contacts=90d; without any, what goes as it is now")
    .addOption(jsonOption())
    .addHelpText("after", HELP)
    .does(async ({ config, voice }, kinds: string[]) => {
      const keep = keepOf(kinds);
      const answer = await withRunningSystem(config, (api) =>
        api.people.setRetention({ keep, reason: "a preview", dry_run: true }),
      );
      voice.tell(dueLines(answer));
      voice.json(answer);
    });
  retention
    .command("set")
    .grave()
    .description(
      "Says how long what is held of people is kept. What is older goes, and can't be brought back.",
    )
    .argument("<kinds...>", "as in contacts=90d, or contacts=forever")
    .requiredOption("--reason <text>", "why; it is kept in the audit")
    .addOption(jsonOption())
    .addHelpText("after", HELP)
    .does(async ({ config, voice }, kinds: string[], { reason }: SetOptions) => {
      const keep = keepOf(kinds);
      const answer = await withRunningSystem(config, (api) =>
        api.people.setRetention({ keep, reason, dry_run: false }),
      );
      voice.tell([
        ...kindLines(
          answer.kinds.filter(({ kind }) => Object.hasOwn(keep, kind)),
          voice.colours,
        ),
        ...dueLines(answer),
      ]);
      voice.json(answer);
    });
}

function keepOf(kinds: readonly string[]): Record<string, string | null> {
  const keep: Record<string, string | null> = {};
  for (const said of kinds) {
    const [, kind = "", duration = ""] = /^([a-z_]+)=(\S+)$/.exec(said) ?? [];
    if (kind === "")
      throw new InvalidArgumentError(
        `${said} must be a kind and a duration, such as contacts=90d or audit=forever.`,
      );
    if (Object.hasOwn(keep, kind)) throw new InvalidArgumentError(`${kind} is said twice: say it once.`);
    keep[kind] = duration === "forever" ? null : duration;
  }
  return keep;
}

function kindLines(kinds: readonly RetentionKindWire[], colours: Colours): string[] {
  const rows = kinds.map((one) => [
    one.kind,
    one.keep ?? "forever",
    one.changed_by === null ? "nobody said otherwise" : `${one.changed_by}, ${one.changed_at ?? ""}`,
    one.removed === null ? "" : String(one.removed),
  ]);
  return listing("nothing is kept", ["kind", "kept for", "said by", "went"], rows, colours);
}

function dueLines({ due, is_set: isSet }: RetentionAnswerWire): string[] {
  if (due.length === 0) return ["nothing goes by its age: every kind is kept for good"];
  return due.map(({ kind, rows, more }) =>
    rows === 0
      ? `${kind}: nothing is too old`
      : `${kind}: ${more ? "more than " : ""}${countText(rows, "row")} ${isSet ? "go" : "would go"}`,
  );
}
