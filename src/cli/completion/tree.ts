import type { Argument, Command, Option } from "commander";

/*
 * What may stand on a command line, taken off commander's own tree, as lines of a table by which a shell's script
 * walks what was typed:
 *
 * - `c:<path>`: the commands behind a path, such as `c:campaign`
 * - `o:<path>`: the options of a command; those that take a value end with `=`
 * - `v:<path> <option>`, or `e:<option>` where it is so everywhere: values of an option
 * - `a:<path> <n>`: values of its nth argument, from 0; behind the last of a variadic one, that
 *
 * Values are words, or one word that begins with `=`: a kind that is looked up when somebody asks for it.
 */

export interface TableLine {
  readonly key: string;
  readonly words: readonly string[];
}

/** What is looked up: paths by the shell itself, everything else by `outdial __complete`. */
export const FILES = "=file";

export const LOOKED_UP = [
  "campaign",
  "sequence",
  "trigger",
  "schedule",
  "automation",
  "context",
  "preset",
] as const;

export type LookedUp = (typeof LOOKED_UP)[number];

/** Options of every command: they are hidden in its help, which tells of them as global ones. */
const EVERYWHERE: Readonly<Record<string, string>> = { "--data-dir": FILES, "--context": "=context" };

export function completionTable(program: Command): TableLine[] {
  return [
    ...Object.entries(EVERYWHERE).map(([option, kind]) => ({ key: `e:${option}`, words: [kind] })),
    ...linesOf(program, []),
  ].filter(({ words }) => words.length > 0);
}

function linesOf(command: Command, path: readonly string[]): TableLine[] {
  const at = path.join(" ");
  const options = command.options.filter(({ hidden, long }) => !hidden || (long ?? "") in EVERYWHERE);
  const help = command
    .createHelp()
    .visibleOptions(command)
    .filter(({ long }) => long === "--help");
  const named = [...options, ...help.filter((one) => !options.some(({ long }) => long === one.long))];
  return [
    { key: `c:${at}`, words: command.commands.map((inner) => inner.name()) },
    { key: `o:${at}`, words: named.flatMap(flagsOf) },
    ...named.flatMap((option) => {
      const words = valuesOf(option);
      return namesOf(option).map((name) => ({ key: `v:${at} ${name}`, words }));
    }),
    ...command.registeredArguments.map((argument, n) => ({
      key: `a:${at} ${n}`,
      words: argumentValues(argument, path),
    })),
    ...command.commands.flatMap((inner) => linesOf(inner, [...path, inner.name()])),
  ];
}

function namesOf({ long, short }: Option): string[] {
  return [long, short].flatMap((name) => (name === undefined ? [] : [name]));
}

function flagsOf(option: Option): string[] {
  return namesOf(option).map((name) => (option.required ? `${name}=` : name));
}

/** Words of the placeholders of options and arguments that name something on the disk. */
const PATHS = new Set(["file", "folder", "list", "path", "campaign.yaml", "sequence.yaml"]);

function valuesOf(option: Option): readonly string[] {
  if ((option.long ?? "") in EVERYWHERE) return [];
  if (option.argChoices) return option.argChoices;
  const placeholder = /[<[]([^>\]]+)[>\]]$/.exec(option.flags)?.[1] ?? "";
  if (PATHS.has(placeholder)) return [FILES];
  return isLookedUp(placeholder) ? [`=${placeholder}`] : [];
}

function argumentValues(argument: Argument, path: readonly string[]): readonly string[] {
  if (argument.argChoices) return argument.argChoices;
  const name = argument.name();
  if (PATHS.has(name)) return [FILES];
  if (isLookedUp(name)) return [`=${name}`];
  // `outdial trigger show <name>`: what has a name is what the command is about.
  const [group = ""] = path;
  return name === "name" && path.length === 2 && isLookedUp(group) ? [`=${group}`] : [];
}

function isLookedUp(word: string): word is LookedUp {
  return LOOKED_UP.some((one) => one === word);
}
