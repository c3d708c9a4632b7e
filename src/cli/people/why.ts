import type { StoryWire } from "../../http/wire/people.ts";
import type { Api } from "../api/client.ts";
import type { CliCommand } from "../cli-command.ts";
import { instant, jsonOption, regionOption, wholeNumber } from "../options.ts";
import { withRunningSystem } from "../running-system.ts";
import { leftOut } from "./story-words.ts";

interface WhyOptions {
  brand?: string;
  since?: string;
  until?: string;
  defaultRegion?: string;
  limit: number;
  after?: string;
  output?: string;
  json?: true;
}

/** A story of ten thousand entries is ten megabytes here; nobody reads a longer one at once. */
const MOST_ENTRIES = 10_000;

/** Entries of one answer. */
const PAGE = 200;

const HELP = `
Each moment is told by the clocks of the person, in every time zone that they may be in, and in UTC. Of each call
it says which rules were asked and what the ledger shows of them at the moment when the call was permitted.

--output writes two files for somebody outside: <file>.html, which needs nothing else and prints well, and
<file>.json with the same, and says the SHA-256 of both. Secrets, and other people's numbers where they can be
told, are left out. That somebody read a story is written into the audit log.

Examples:
  outdial why +12025550143
  outdial why "0171 2345678" --default-region DE --since 2026-11-01T00:00:00Z
  outdial why +12025550143 --output complaint-4711`;

export function registerWhy(program: CliCommand): void {
  program
    .command("why")
    .description(
      "Tells everything that is known of a number, over all campaigns and sequences: each call and what allowed it, each time that it was not called and why.",
    )
    .argument("<number>", "with +, or with --default-region as it is dialed there")
    .option("--brand <brand>", "only what is of this brand; by default of all")
    .option("--since <time>", "only what reaches beyond this moment", instant)
    .option("--until <time>", "only what began before this moment", instant)
    .addOption(regionOption())
    .option("--limit <n>", "so many entries at most", wholeNumber(1, MOST_ENTRIES), MOST_ENTRIES)
    .option("--after <cursor>", "go on where the story before ended")
    .option("--output <file>", "write <file>.html and <file>.json, to be handed on")
    .addOption(jsonOption())
    .addHelpText("after", HELP)
    .does(async ({ config, voice }, number: string, options: WhyOptions) => {
      const story = await withRunningSystem(config, (api) => readStory(api, number, options));
      if (options.output === undefined) {
        const { storyLines } = await import("./story-lines.ts");
        voice.present(storyLines(story, { columns: voice.screen.columns, colours: voice.colours }));
        voice.json(story);
        return;
      }
      const { writeEvidence } = await import("./evidence-files.ts");
      const files = await writeEvidence(story, options.output);
      voice.tell([
        ...files.map(({ path, sha256 }) => `${sha256}  ${path}`),
        ...(story.next_after === null ? [] : [leftOut(story)]),
      ]);
      voice.json({ files, next_after: story.next_after });
    });
}

/** The pages of a story as one, up to the limit. */
async function readStory(api: Api, number: string, options: WhyOptions): Promise<StoryWire> {
  const { brand, since, until, defaultRegion, limit } = options;
  const ask = (after: string | undefined, left: number) =>
    api.people.story(number, {
      brand,
      since,
      until,
      default_region: defaultRegion,
      after,
      limit: Math.min(PAGE, left),
    });
  const story = await ask(options.after, limit);
  const ids = new Set(story.entries.map(({ id }) => id));
  const policies = new Set(story.policies.map(keyOf));
  let left = limit - story.entries.length;
  while (story.next_after !== null && left > 0) {
    const page = await ask(story.next_after, left);
    left -= page.entries.length;
    story.next_after = page.next_after;
    // What goes on meanwhile may move from one page to the next.
    for (const entry of page.entries) {
      if (ids.has(entry.id)) continue;
      ids.add(entry.id);
      story.entries.push(entry);
    }
    for (const policy of page.policies) {
      if (policies.has(keyOf(policy))) continue;
      policies.add(keyOf(policy));
      story.policies.push(policy);
    }
  }
  return story;
}

function keyOf({ campaign_id: id, version }: StoryWire["policies"][number]): string {
  return `${id} ${version}`;
}
