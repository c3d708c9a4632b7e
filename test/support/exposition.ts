/*
 * A strict reading of Prometheus' text format 0.0.4, written from its description: what is not exactly so is refused.
 * https://prometheus.io/docs/instrumenting/exposition_formats/
 */

export interface Sample {
  name: string;
  labels: Readonly<Record<string, string>>;
  value: number;
}

export interface Family {
  name: string;
  help: string | undefined;
  type: string;
  samples: Sample[];
}

const NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const LABEL = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(,|$)/;
const VALUE = /^[+-]?(?:\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|Inf)$|^NaN$/;

/** @throws Error where a line is not as the format says, or families say what contradicts itself. */
export function readExposition(text: string): Map<string, Family> {
  if (!text.endsWith("\n")) throw new Error("the last line has no end");
  const families = new Map<string, Family>();
  const helps = new Map<string, string>();
  const seen = new Set<string>();
  for (const [index, line] of text.slice(0, -1).split("\n").entries()) {
    const refuse = (why: string): never => {
      throw new Error(`line ${index + 1}: ${why}: ${line}`);
    };
    if (line === "") continue;
    const [, help, about = ""] = new RegExp(`^# HELP (${NAME}) (.*)$`).exec(line) ?? [];
    const [, typed, type = ""] =
      new RegExp(`^# TYPE (${NAME}) (counter|gauge|histogram|summary|untyped)$`).exec(line) ?? [];
    if (help !== undefined) {
      if (helps.has(help)) refuse("a second HELP");
      helps.set(help, about);
    } else if (typed !== undefined) {
      if (families.has(typed)) refuse("a second TYPE");
      families.set(typed, { name: typed, help: helps.get(typed), type, samples: [] });
    } else if (line.startsWith("#")) {
      refuse("neither HELP nor TYPE");
    } else {
      const [, name = "", , inner = "", value = ""] =
        new RegExp(`^(${NAME})(\\{(.*)\\})? (\\S+)$`).exec(line) ?? refuse("no sample");
      if (!VALUE.test(value)) refuse("no value");
      const family = familyOf(families, name) ?? refuse("a sample of no family");
      const labels = labelsIn(inner, refuse);
      const key = `${name} ${keyOf(labels)}`;
      if (seen.has(key)) refuse("a second sample of one series");
      seen.add(key);
      family.samples.push({ name, labels, value: Number(value.replace("Inf", "Infinity")) });
    }
  }
  for (const family of families.values()) if (family.type === "histogram") judgeHistogram(family);
  return families;
}

/** The same for the same labels, in whatever order. */
function keyOf(labels: Readonly<Record<string, string>>): string {
  return JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function familyOf(families: ReadonlyMap<string, Family>, name: string): Family | undefined {
  const [, stem = name] = /^(.*)_(?:bucket|sum|count)$/.exec(name) ?? [];
  const plain = families.get(name);
  if (plain) return plain;
  const whole = families.get(stem);
  return whole?.type === "histogram" || whole?.type === "summary" ? whole : undefined;
}

function labelsIn(inner: string, refuse: (why: string) => never): Record<string, string> {
  const labels: Record<string, string> = {};
  for (let rest = inner; rest !== "";) {
    const [whole, name = "", value = ""] = LABEL.exec(rest) ?? refuse("no label");
    if (Object.hasOwn(labels, name)) refuse("a second label of one name");
    labels[name] = value.replaceAll(/\\(.)/g, (_, letter: string) => (letter === "n" ? "\n" : letter));
    rest = rest.slice(whole.length);
  }
  return labels;
}

/** Buckets are counted together, end at +Inf, and that is the count. */
function judgeHistogram({ name, samples }: Family): void {
  const series = new Map<string, { buckets: [number, number][]; count: number | undefined }>();
  for (const { name: of, labels, value } of samples) {
    const { le, ...others } = labels;
    const key = keyOf(others);
    const one = series.get(key) ?? { buckets: [], count: undefined };
    if (le !== undefined) one.buckets.push([Number(le.replace("Inf", "Infinity")), value]);
    if (of.endsWith("_count")) one.count = value;
    series.set(key, one);
  }
  for (const [key, { buckets, count }] of series) {
    const counts = buckets.sort(([a], [b]) => a - b).map(([, n]) => n);
    const isCumulative = counts.every((n, index) => n >= (counts[index - 1] ?? 0));
    if (!isCumulative || buckets.at(-1)?.[0] !== Number.POSITIVE_INFINITY || counts.at(-1) !== count)
      throw new Error(`the histogram ${name} ${key} does not add up`);
  }
}

/** The sum of a family's samples with these labels; undefined: it has none. */
export function sumOf(
  families: ReadonlyMap<string, Family>,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const found = familyOf(families, name)?.samples.filter(
    (sample) =>
      sample.name === name &&
      Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  );
  return found === undefined || found.length === 0
    ? undefined
    : found.reduce((sum, { value }) => sum + value, 0);
}
