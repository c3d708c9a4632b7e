/** What stands in the address of a page, by its name there. */
export type Params = Readonly<Record<string, string | undefined>>;
