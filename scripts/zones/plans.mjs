// Facts of numbering plans that no package carries, each from the plan of the country itself.

/**
 * Digits of an area code behind the calling code: zones of a shorter prefix in libphonenumber's data are a summary of the areas
 * that were known on the day when it was made, and say nothing of newer ones.
 */
export const AREA_DIGITS = { 1: 3, 7: 3, 34: 2, 55: 2, 62: 2, 351: 2, 976: 2 };

/** More digits of a prefix than this tell no more of where it is: the longer ones are taken together. */
export const MOST_DIGITS = { 61: 6, 64: 5 };

/**
 * States in which Australia's area codes lie (Telecommunications Numbering Plan 2025, schedule of areas): the geocoding
 * names districts there without their state.
 */
export const REGIONS_OF_AREA = {
  612: ["NSW", "ACT"],
  613: ["VIC", "TAS"],
  617: ["QLD", "NSW"],
  618: ["SA", "NT", "WA"],
};

/**
 * Which Canadian area codes lie over which, as the Canadian Numbering Administrator lists them: the newer code has the
 * territory of the older ones. In the United States the ZIP codes tell.
 */
export const OVERLAYS = {
  226: ["519"],
  236: ["250", "604"],
  249: ["705"],
  257: ["250", "604"],
  263: ["514"],
  289: ["905"],
  343: ["613"],
  354: ["450"],
  365: ["905"],
  367: ["418"],
  368: ["403", "780"],
  382: ["519"],
  428: ["506"],
  431: ["204"],
  437: ["416"],
  438: ["514"],
  468: ["819"],
  474: ["306"],
  548: ["519"],
  579: ["450"],
  581: ["418"],
  584: ["204"],
  587: ["403", "780"],
  639: ["306"],
  647: ["416"],
  672: ["250", "604"],
  683: ["705"],
  742: ["905"],
  753: ["613"],
  778: ["250", "604"],
  782: ["902"],
  825: ["403", "780"],
  873: ["819"],
  879: ["709"],
  942: ["416"],
};
