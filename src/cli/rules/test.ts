import type { CliCommand } from "../cli-command.ts";
import type { CliContext, Voice } from "../context.ts";
import { CliError } from "../errors.ts";
import { EXIT } from "../exit-codes.ts";
import type { RehearsedWire, RulesTestWire } from "../../http/wire/rules.ts";
import { rehearse } from "../../domain/rules/rehearsal.ts";
import { brandOption, jsonOption, wholeNumber } from "../options.ts";
import { withSystemAtHand } from "../system-at-hand.ts";
import type { Config } from "../../config.ts";
import { readCallsFile } from "./calls-file.ts";
import { readRulesFile, type RulesFile } from "./rules-file.ts";
import { rehearsalLines } from "./rehearsal-lines.ts";

interface TestOptions {
  calls?: string;
  campaign?: string;
  brand: string;
  against?: string;
  step?: string;
  limit: number;
  json?: true;
}

/** What is said of the calls, wherever they are from. */
interface Rehearsed {
  items: RehearsedWire[];
  unreadable: RulesTestWire["unreadable"];
  /** There are more calls than were asked for. */
  hasMore: boolean;
}

const DEFAULT_LIMIT = 200;
const MOST_CALLS = 100_000;

export function registerRulesTest(rules: CliCommand, context: CliContext): void {
  rules
    .command("test")
    .description(
      "Says what the rules of a campaign or a sequence make of calls that were, and what a change of them would. Nothing is done.",
    )
    .argument("<definition.yaml>", "a campaign or a sequence")
    .option(
      "--calls <file>",
      "calls as `outdial platform calls get` prints them: JSON, or NDJSON with one a line",
    )
    .option(
      "--campaign <name>",
      "instead: the calls of a campaign, or of a sequence's step as <sequence>.<step>, read from the platform by a system that runs, or by this command",
    )
    .addOption(brandOption())
    .option(
      "--against <definition.yaml>",
      "compares with the rules of this one; by default with the campaign's as it is",
    )
    .option("--step <id>", "of a sequence with several call steps: whose calls they are")
    .option("--limit <n>", "calls, at most", wholeNumber(1, MOST_CALLS), DEFAULT_LIMIT)
    .addOption(jsonOption())
    .does(async ({ config, voice }, file: string, options: TestOptions) => {
      if ((options.calls === undefined) === (options.campaign === undefined))
        throw new CliError(
          "say either --calls FILE or --campaign NAME: whose calls are looked at",
          EXIT.badInput,
        );
      const now = readRulesFile(file, options.step);
      const before = options.against === undefined ? undefined : readRulesFile(options.against, options.step);
      const rehearsed =
        options.calls === undefined
          ? await overCampaign(context, config, voice, options, { now, before })
          : await overFile(options.calls, options.limit, { now, before });
      const { rulesSummaryOf } = await import("../../http/wire/rules.ts");
      const { items, unreadable, hasMore } = rehearsed;
      const summary = rulesSummaryOf(items);
      const against = options.against ?? options.campaign;
      voice.present(rehearsalLines(voice.colours, { ...rehearsed, summary, against }));
      voice.json({ against: against ?? null, items, summary, unreadable, has_more: hasMore });
    });
}

interface Compared {
  now: RulesFile;
  before: RulesFile | undefined;
}

async function overFile(file: string, limit: number, { now, before }: Compared): Promise<Rehearsed> {
  const [{ momentOf }, { rehearsedCallView }] = await Promise.all([
    import("../../platform/index.ts"),
    import("../../http/wire/rules.ts"),
  ]);
  const calls = readCallsFile(file);
  const clock = { momentOf, nowMs: Date.now() };
  const items = calls.slice(0, limit).map((stored) =>
    rehearsedCallView({
      callId: stored.raw.call_id,
      recorded: undefined,
      now: rehearse(now.rules, stored, clock),
      before: before && rehearse(before.rules, stored, clock),
    }),
  );
  return { items, unreadable: [], hasMore: calls.length > limit };
}

/** Page by page: each request reads the calls of some contacts. */
async function overCampaign(
  context: CliContext,
  config: Config,
  voice: Voice,
  { campaign = "", brand, step, limit }: TestOptions,
  { now, before }: Compared,
): Promise<Rehearsed> {
  return withSystemAtHand(
    context,
    config,
    (line) => voice.screen.say(line),
    async (api) => {
      const items: RehearsedWire[] = [];
      const unreadable: RulesTestWire["unreadable"] = [];
      let after: number | null = 0;
      while (after !== null && items.length + unreadable.length < limit) {
        const page: RulesTestWire = await api.rules.test({
          definition: now.definition,
          step,
          ...(before && { against: before.definition }),
          campaign,
          brand,
          after,
        });
        items.push(...page.items);
        unreadable.push(...page.unreadable);
        after = page.next_after;
      }
      return { items: items.slice(0, limit), unreadable, hasMore: after !== null || items.length > limit };
    },
  );
}
