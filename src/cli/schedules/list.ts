import type { CliCommand } from "../cli-command.ts";
import type { ListedScheduleWire } from "../../http/wire/schedules.ts";
import { jsonOption, wholeNumber } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { listing } from "../view/report.ts";
import { provenMoment } from "../view/local-times.ts";

export function registerScheduleLists(schedule: CliCommand): void {
  registerList(schedule);
  registerShow(schedule);
  registerNext(schedule);
}

function registerList(schedule: CliCommand): void {
  schedule
    .command("list")
    .description("Lists schedules by name, with their last run and the next due time.")
    .addOption(jsonOption())
    .does(async ({ config, voice }) => {
      const found = await withRunningSystem(config, (api) => api.schedules.list());
      const rows = found.items.map(scheduleRow);
      const header = ["schedule", "", "last run", "next", "drift"];
      voice.present(listing("no schedules", header, rows, voice.colours));
      voice.json(found);
    });
}

function registerShow(schedule: CliCommand): void {
  schedule
    .command("show")
    .description("Shows a schedule with its definition.")
    .argument("<name>", "the schedule")
    .addOption(jsonOption())
    .does(async ({ config, voice }, name: string) => {
      const found = await withRunningSystem(config, (api) => api.schedules.get(name));
      const drift = driftText(found.drift);
      const { stringify } = await import("yaml");
      voice.present([
        `${found.state}${found.reason === null ? "" : ` (${found.reason})`}${found.installed === false ? ", not brought to the platform yet" : ""}`,
        ...(drift === "" ? [] : [`drift: ${drift}`]),
        ...(found.last_run
          ? [`last run: ${found.last_run.state}, due ${provenMoment(found.last_run.due_at, zonesOf(found))}`]
          : []),
        ...(found.next.length === 0
          ? []
          : ["next:", ...found.next.map((iso) => `  ${provenMoment(iso, zonesOf(found))}`)]),
        stringify(found.definition).trimEnd(),
      ]);
      voice.json(found);
    });
}

function registerNext(schedule: CliCommand): void {
  schedule
    .command("next")
    .description("Lists when a schedule is due next.")
    .argument("<name>", "the schedule")
    .option("--count <n>", "so many", wholeNumber(1, 1_000), 10)
    .addOption(jsonOption())
    .does(async ({ config, voice }, name: string, options: { count: number; json?: true }) => {
      const { count } = options;
      const { found, zones } = await withRunningSystem(config, async (api) => ({
        found: await api.schedules.next(name, { count }),
        zones: zonesOf(await api.schedules.get(name)),
      }));
      voice.present(
        found.items.length === 0
          ? ["none: it is paused"]
          : found.items.map((iso) => provenMoment(iso, zones)),
      );
      voice.json(found);
    });
}

type Listed = Pick<ListedScheduleWire, "name" | "state" | "definition" | "last_run" | "next"> & {
  drift: Drift | null;
};

/** Pure. Both times are those of its own clocks. */
export function scheduleRow(item: Listed): string[] {
  const when = (iso: string) => provenMoment(iso, zonesOf(item));
  return [
    item.name,
    item.state,
    item.last_run ? `${item.last_run.state} ${when(item.last_run.due_at)}` : "none",
    item.next[0] === undefined ? "none" : when(item.next[0]),
    driftText(item.drift),
  ];
}

/** By whose clocks it runs. */
export function zonesOf({ definition }: { definition: Readonly<Record<string, unknown>> }): string[] {
  const zone = definition["time_zone"];
  return typeof zone === "string" ? [zone] : [];
}

interface Drift {
  found: string;
  repaired_at: string | null;
}

function driftText(drift: Drift | null): string {
  if (!drift) return "";
  return drift.repaired_at === null ? drift.found : `${drift.found} (repaired)`;
}
