import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

import { outdial, temporaryFolder, writeFile } from "../support.ts";

const EXAMPLES = path.resolve(import.meta.dirname, "../../../examples");
const FILES = {
  campaign: "spring-renewal.yaml",
  sequence: "sequences/trial-welcome.yaml",
  trigger: "triggers/generic.yaml",
  schedule: "schedules/daily-renewals.yaml",
  "attention-route": "attention/on-call.yaml",
  "event-webhook": "declared/crm-events.yaml",
} as const;

const LIST = 'name: dnc\nglobal: true\nreason: asked\nnumbers: ["+12025550143"]\n';
const SOURCE = "name: ftc-dnc\ntype: do_not_call\nmax_age: 31d\n";
const AUTOMATION = "name: crm-sync\ngenerate: sync the CRM\ntrigger_type: webhook\n";

const TAKEN_BY = {
  campaign: "outdial campaign create",
  sequence: "outdial sequence put",
  trigger: "outdial trigger put",
  schedule: "outdial schedule put",
  automation: "outdial automation put",
  "attention-route": "outdial attention route put",
  "event-webhook": "outdial webhook put",
  "suppression-list": "outdial apply -f",
  "suppression-source": "outdial apply -f",
} as const;

type Kind = keyof typeof TAKEN_BY;

const article = (kind: Kind) => `${/^[ae]/.test(kind) ? "an" : "a"} ${kind}`;

/** Every kind in a file of its own, as people write it: without its kind, and with it. */
function filesOf(kind: Kind): [text: string, bearsKind: boolean][] {
  const text =
    kind === "automation"
      ? AUTOMATION
      : kind === "suppression-list"
        ? LIST
        : kind === "suppression-source"
          ? SOURCE
          : fs.readFileSync(path.join(EXAMPLES, FILES[kind]), "utf8");
  const bare = text.replace(/^kind: .*\n/m, "");
  return [
    [bare, false],
    [`kind: ${kind}\n${bare}`, true],
  ];
}

const COMMANDS: readonly [args: readonly string[], kinds: readonly Kind[]][] = [
  [["campaign", "create"], ["campaign"]],
  [["run"], ["campaign"]],
  [["sequence", "check"], ["sequence"]],
  [["sequence", "show"], ["sequence"]],
  [["sequence", "put"], ["sequence"]],
  [["trigger", "put"], ["trigger"]],
  [["schedule", "put"], ["schedule"]],
  [["automation", "put"], ["automation"]],
  [["attention", "route", "put"], ["attention-route"]],
  [["attention", "route", "check"], ["attention-route"]],
  [["webhook", "put"], ["event-webhook"]],
  [["webhook", "check"], ["event-webhook"]],
  [["doctor"], ["campaign", "sequence"]],
];

describe("a file of another kind", () => {
  const others = COMMANDS.flatMap(([args, wanted]) =>
    (Object.keys(TAKEN_BY) as Kind[])
      .filter((kind) => !wanted.includes(kind))
      .map((kind) => ({ command: args.join(" "), args, kind })),
  );
  it.each(others)("$command says of $kind what it is, and which command takes it", async ({ args, kind }) => {
    for (const [text, bearsKind] of filesOf(kind)) {
      const file = writeFile(temporaryFolder(), "some.yaml", text);
      const contacts = args[0] === "run" || args[1] === "create" ? ["--contacts", file] : [];
      const end = await outdial([...args, file, ...contacts]);
      expect(end, end.stderr).toMatchObject({ code: 2, stdout: "" });
      expect(end.stderr).toContain(`holds ${article(kind)}`);
      expect(end.stderr).toContain(`${TAKEN_BY[kind]} ${file}`);
      expect(end.stderr.trim().split("\n"), end.stderr).toHaveLength(1);
      // What `apply` takes bears its kind.
      if (kind.startsWith("suppression-") && !bearsKind) expect(end.stderr).toContain(`\`kind: ${kind}\``);
    }
  });

  it("is not guessed at where its fields are those of several kinds, or of none", async () => {
    const folder = temporaryFolder();
    for (const text of ["name: x\nsteps: []\nauth: {}\n", "name: x\n"]) {
      const end = await outdial(["trigger", "put", writeFile(folder, "some.yaml", text)]);
      expect(end.stderr).toMatch(/has (a|\d+) problem/);
    }
  });
});
