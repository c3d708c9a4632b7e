import type { FastifyInstance } from "fastify";

import type { runProgram } from "../src/cli/program.ts";
import type { Preset, ruleText } from "../src/domain/policy/presets/preset.ts";
import type { MetricDefinition } from "../src/telemetry/metric-table.ts";
import type { SettingDoc } from "../src/setting.ts";

/** A command and its help. */
export interface CommandHelp {
  /** After `outdial`; none for the program itself. */
  words: readonly string[];
  text: string;
}

type HelpOf = (args: readonly string[]) => Promise<string>;

interface ApiDescription {
  paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
}

export function configurationPage(settings: readonly SettingDoc[]): string;
export function collectHelp(helpOf: HelpOf, words?: readonly string[]): Promise<CommandHelp[]>;
export function helpThrough(program: typeof runProgram): HelpOf;
export function cliPage(helps: readonly CommandHelp[]): string;
export function describeApi(buildApp: (deps: never) => Promise<FastifyInstance>): Promise<ApiDescription>;
export function problemTable(description: object): string;
export function routeTable(description: ApiDescription): string;
export function reasonTable(reasons: {
  never: Readonly<Record<string, string>>;
  wait: Readonly<Record<string, string>>;
}): string;
export function presetTables(presets: readonly Preset[], textOf: typeof ruleText): string;
export function metricTables(metrics: Readonly<Record<string, MetricDefinition>>): string;
export function eventTables(
  types: Readonly<Record<string, { meaning: string; example: Record<string, unknown> }>>,
): string;
export function storyKindTable(kinds: Readonly<Record<string, string>>): string;
export function withTable(page: string, name: string, text: string): string;
