import type { Config } from "../config.ts";

/*
 * The commands that messages name: as somebody types them beside the one that says so, and finds the same system.
 */

/** What a command beside this one has to be told, since it would look in the usual place. */
export function namedDir({ dataDir, dataDirGiven, api }: Config): string | undefined {
  return (dataDirGiven || api.isContextElsewhere) && api.url === undefined ? dataDir : undefined;
}

/** How the command beside this one finds the same system, where it was named on the command line. */
export function placeIn(config: Config): Pick<Place, "dataDir" | "context"> {
  const { context } = config.api;
  return { dataDir: namedDir(config), context: context?.isNamedHere === true ? context.name : undefined };
}

/** Where a campaign is found from another shell. */
export interface Place {
  /** Where a context was named. */
  context?: string | undefined;
  /** Where another folder than the usual one was named. */
  dataDir?: string | undefined;
  /** Undefined: the default one. */
  brand?: string | undefined;
}

/** The command that does something to a campaign, as somebody types it beside the one that says so. */
export function commandText(verb: string, name: string, place: Place): string {
  const { brand = DEFAULT_BRAND } = place;
  return [
    `outdial campaign ${verb} ${shellText(name)}`,
    ...(brand === DEFAULT_BRAND ? [] : [`--brand ${shellText(brand)}`]),
    ...systemWords(place),
  ].join(" ");
}

/** The command that ends a stop of everything, as somebody types it beside the one that says so. */
export function goOnText(place: Place): string {
  return ['outdial go-on --reason "..."', ...systemWords(place)].join(" ");
}

function systemWords({ dataDir, context }: Place): string[] {
  return [
    ...(dataDir === undefined ? [] : [`--data-dir ${shellText(dataDir)}`]),
    ...(context === undefined ? [] : [`--context ${shellText(context)}`]),
  ];
}

/** Whose a campaign is where nothing is said. */
const DEFAULT_BRAND = "default";

/** A name as a shell takes it. */
export function shellText(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
