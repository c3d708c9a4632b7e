/** Whoever gets an answer can tell that no phone rings here. */
export const SOFTWARE = "outdial-sandbox";
