/*
 * Whether processes of the build before can go on while a migration is made, and after it: a rolling deploy changes the
 * schema first, and then the processes one by one.
 *
 * What may be done beside them is a list, and all else is not: a statement that nobody thought of stops dialing for a
 * while when it is refused, and dials twice when it is not. Tables that the same migration makes are nobody's yet.
 */

/** A statement that processes of the build before would not bear, and why. */
export interface UnsafeStatement {
  /** As it is written, shortened to its first line. */
  statement: string;
  why: string;
}

const COMMENTS = /--[^\n]*|\/\*[\s\S]*?\*\//g;

/** Quoted texts and bodies of functions: words in them are no words of the statement. */
const QUOTED = /\$(\w*)\$[\s\S]*?\$\1\$|'(?:[^']|'')*'/g;

const NAME = String.raw`((?:"[^"]+"|\w+)(?:\.(?:"[^"]+"|\w+))?)`;

const CREATED = new RegExp(String.raw`^create (?:unlogged )?table (?:if not exists )?${NAME}`);
const INDEXED = new RegExp(
  String.raw`^create (?:unique )?index (?:if not exists )?(?:\w+ )?on (?:only )?${NAME}`,
);
const ALTERED = new RegExp(String.raw`^alter table (?:only )?(?:if exists )?${NAME} `);
const WRITTEN = new RegExp(String.raw`^(?:insert into|update|delete from) (?:only )?${NAME}`);
const TRIGGERED = new RegExp(String.raw`^create (?:constraint )?trigger .*? on ${NAME}`);

/** A type that is a default as well: a number from a sequence for each row that there is. */
const NUMBERED = new RegExp(String.raw`^add column (?:if not exists )?${NAME} (?:small|big)?serial[248]?\b`);

/** Other processes neither see nor wait for these. */
const ALWAYS_SAFE = /^(?:comment on|grant|create function|create sequence|create type|set local) /;

/** Statements of a migration, as the file has them, that are not to be made beside processes of the build before. */
export function unsafeStatements(statements: readonly string[]): UnsafeStatement[] {
  const ours = new Set<string>();
  const unsafe: UnsafeStatement[] = [];
  for (const written of statements.flatMap(split)) {
    const [, created] = CREATED.exec(written) ?? [];
    if (created !== undefined) {
      ours.add(created);
      continue;
    }
    const why = whyUnsafe(written, ours);
    if (why !== undefined) unsafe.push({ statement: shortened(written), why });
  }
  return unsafe;
}

/** In lower case and on one line, without what is quoted or said in comments. */
function split(text: string): string[] {
  return text
    .replaceAll(COMMENTS, " ")
    .replaceAll(QUOTED, "''")
    .split(";")
    .map((statement) => statement.replaceAll(/\s+/g, " ").trim().toLowerCase())
    .filter((statement) => statement !== "");
}

function whyUnsafe(statement: string, ours: ReadonlySet<string>): string | undefined {
  if (ALWAYS_SAFE.test(statement)) return undefined;
  const touched =
    INDEXED.exec(statement)?.[1] ??
    ALTERED.exec(statement)?.[1] ??
    WRITTEN.exec(statement)?.[1] ??
    TRIGGERED.exec(statement)?.[1];
  if (touched !== undefined && ours.has(touched)) return undefined;
  if (INDEXED.test(statement)) return "nobody can write to the table while the index is made";
  if (TRIGGERED.test(statement)) return "it changes what statements of the build before do";
  if (WRITTEN.test(statement)) return "it changes rows under processes that work on them";
  if (ALTERED.test(statement)) return whyUnsafeAlteration(statement);
  return "it is not among what may be done beside processes that work";
}

/** A new column that processes which do not know it may leave out; whatever else changes what they have. */
function whyUnsafeAlteration(statement: string): string | undefined {
  for (const action of actionsOf(statement.replace(ALTERED, ""))) {
    if (!action.startsWith("add column ")) return "it changes what processes of the build before rely on";
    if (NUMBERED.test(action)) return "a default that is worked out writes the whole table anew";
    const [, value] =
      / default (.+?)(?= (?:not null|null|check|references|unique|primary key)|$)/.exec(action) ?? [];
    if (/ not null/.test(action) && value === undefined)
      return "processes of the build before leave the column out, which has no default";
    if (value !== undefined && !isConstant(value))
      return "a default that is worked out writes the whole table anew";
    if (/ (?:unique|primary key|references|check|generated)\b/.test(action))
      return "a rule for a column is looked up in the whole table while nobody can use it";
  }
  return undefined;
}

/** Cut at commas that stand in no brackets. */
function actionsOf(text: string): string[] {
  const actions: string[] = [];
  let depth = 0;
  let current = "";
  for (const letter of text) {
    if (letter === "(") depth += 1;
    if (letter === ")") depth -= 1;
    if (letter === "," && depth === 0) {
      actions.push(current.trim());
      current = "";
    } else current += letter;
  }
  return [...actions, current.trim()];
}

/** Numbers, words and texts; texts are empty by now. */
function isConstant(value: string): boolean {
  return /^(?:-?\d+(?:\.\d+)?|true|false|null|'')(?:::[\w ]+(?:\[\])?)?$/.test(value.trim());
}

const SHOWN = 100;

function shortened(statement: string): string {
  return statement.length <= SHOWN ? statement : `${statement.slice(0, SHOWN - 1)}…`;
}
