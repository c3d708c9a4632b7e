import { InvalidArgumentError } from "commander";

import type { CliCommand } from "../cli-command.ts";
import { parseDurationMs } from "../../domain/time/duration.ts";
import { LONGEST_GRACE_HOURS, SHORTEST_GRACE_HOURS, warnedDays } from "../../domain/keys/key-rotation.ts";
import type { KeyRotationWire, KeyStatusWire } from "../../http/wire/keys.ts";
import { EXIT } from "../exit-codes.ts";
import { jsonOption, wholeNumber } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { listing } from "../view/report.ts";

export function registerKeyCommands(key: CliCommand): void {
  registerStatus(key);
  registerRotate(key);
  registerRotations(key);
}

function registerStatus(key: CliCommand): void {
  key
    .command("status")
    .description("Shows where the key in use is kept, and when it stops working.")
    .addOption(jsonOption())
    .does(async ({ config, voice }) => {
      const status = await withRunningSystem(config, (api) => api.keys.status());
      voice.present(statusLines(status));
      voice.json(status);
      const isLate = status.ends_at !== null && warnedDays(Date.parse(status.ends_at), Date.now()) === 1;
      return isLate ? EXIT.failed : EXIT.ok;
    });
}

function registerRotate(key: CliCommand): void {
  key
    .command("rotate")
    .grave()
    .description("Puts a new key in the place of the one in use; all processes go on without a restart.")
    .option("--grace <duration>", "how long the old key stays good at most: whole hours, such as 24h", hours)
    .addOption(jsonOption())
    .addHelpText("after", "\nExample:\n  outdial key rotate --grace 24h")
    .does(async ({ config, voice }, options: { grace?: number; json?: true }) => {
      const rotation = await withRunningSystem(config, (api) => api.keys.rotate(options.grace));
      voice.tell([
        `rotation ${rotation.id} of key ${rotation.old_key_prefix} has begun: \`outdial key rotations\` shows how far it is`,
      ]);
      voice.json(rotation);
    });
}

function registerRotations(key: CliCommand): void {
  key
    .command("rotations")
    .description("Lists the rotations of the key, newest first, and how far they are.")
    .option("--limit <n>", "so many at most", wholeNumber(1, 200), 20)
    .addOption(jsonOption())
    .does(async ({ config, voice }, options: { limit: number; json?: true }) => {
      const { limit } = options;
      const page = await withRunningSystem(config, (api) => api.keys.rotations({ limit }));
      const header = ["begun", "state", "old key", "new key", "what it does"];
      const found = page.items.map((item) => [
        item.created_at,
        item.state,
        item.old_key_prefix,
        item.new_key_prefix ?? "",
        whatItDoes(item),
      ]);
      voice.present(listing("no rotations", header, found, voice.colours));
      voice.json(page);
    });
}

function statusLines(status: KeyStatusWire): string[] {
  const { key, last_rotation: last } = status;
  const shown = key ? `${key.prefix ?? key.id}${key.name === null ? "" : ` (${key.name})`}` : "unknown";
  return [
    `key ${shown}, from ${status.file ?? "PLATFORM_API_KEY"}`,
    status.unknown ?? (status.ends_at === null ? "does not expire" : `stops working at ${status.ends_at}`),
    status.fixed === null ? "can be rotated: outdial key rotate" : `can't be rotated: ${status.fixed}`,
    ...(last ? [`last rotation: ${last.created_at}, ${last.state}: ${whatItDoes(last)}`] : []),
  ];
}

function whatItDoes(rotation: KeyRotationWire): string {
  const { state, tries, grace_until: until } = rotation;
  switch (state) {
    case "rotating":
      return tries === 0
        ? "asks the platform for a new key"
        : `asked the platform ${tries === 1 ? "once" : `${tries} times`}, and waits for an answer that arrives whole`;
    case "stored":
      return "sees whether the new key works";
    case "switched":
      return `the new key is in use; waits until nobody uses the old one${until === null ? "" : `, good until ${until}`}`;
    case "verified":
      return "revokes the old key";
    case "done":
      return `over at ${rotation.ended_at ?? "some time"}`;
    case "failed":
      return rotation.error ?? "failed";
  }
}

const HOUR_MS = 3_600_000;

function hours(text: string): number {
  const count = (parseDurationMs(text) ?? Number.NaN) / HOUR_MS;
  if (Number.isInteger(count) && count >= SHORTEST_GRACE_HOURS && count <= LONGEST_GRACE_HOURS) return count;
  throw new InvalidArgumentError(
    `must be whole hours from ${SHORTEST_GRACE_HOURS}h to ${LONGEST_GRACE_HOURS}h, such as 24h`,
  );
}
