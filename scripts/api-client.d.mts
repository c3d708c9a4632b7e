/** The text of src/api/generated.ts, from the description of the API. */
export function apiClientText(description: object): string;
