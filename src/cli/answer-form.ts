import { InvalidArgumentError, Option } from "commander";

/*
 * In which form a command's answer is written. A command makes its answer once, in the shape that the API has for it,
 * and says it in words besides: which of the two stands on standard output is decided here for all of them.
 */

export const ANSWER_FORMS = ["table", "wide", "json", "yaml", "csv"] as const;

export type AnswerForm = (typeof ANSWER_FORMS)[number];

/** What a command line says of it. */
export interface FormOptions {
  readonly json?: true | undefined;
  readonly o?: AnswerForm | undefined;
  readonly fields?: readonly string[] | undefined;
}

/** In the order of the help; `--json` stands before them. */
export function formOptions(): Option[] {
  return [
    new Option(
      "-o <form>",
      "the answer as table, wide (every field a column), json, yaml or csv: nothing else on standard output",
    )
      .choices(ANSWER_FORMS)
      .conflicts("json"),
    new Option("--fields <names>", "only these fields of the answer, such as id,contacts.total").argParser(
      fieldNames,
    ),
  ];
}

/** More than a table shows and a person writes. */
const MOST_FIELDS = 100;

function fieldNames(text: string): readonly string[] {
  const names = [...new Set(text.split(",").map((name) => name.trim()))];
  if (names.every((name) => /^[^.\s][^.]*(?:\.[^.]+)*$/.test(name)) && names.length <= MOST_FIELDS)
    return names;
  throw new InvalidArgumentError(
    `It must be names of fields, ${MOST_FIELDS} at most, with commas between them and a dot before what is inside of another, such as id,contacts.total.`,
  );
}

export interface AskedForm {
  readonly form: AnswerForm;
  /** Undefined: all of them. */
  readonly fields: readonly string[] | undefined;
  /** The command's own words are the answer; else standard output is for the answer's fields alone. */
  readonly inWords: boolean;
}

export function askedForm({ json, o, fields }: FormOptions): AskedForm {
  const form = o ?? (json === true ? "json" : "table");
  return { form, fields, inWords: form === "table" && fields === undefined };
}

/**
 * Whether a program reads what comes of a command line, errors included. What somebody asked for stands there even
 * where the rest of the line makes no sense.
 */
export function wantsJson(args: readonly string[]): boolean {
  const end = args.indexOf("--");
  const asked = args.slice(0, end < 0 ? undefined : end);
  return asked.some(
    (word, at) => word === "--json" || word === "-ojson" || (word === "-o" && asked[at + 1] === "json"),
  );
}
