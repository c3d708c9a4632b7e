/**
 * Cells of the CSV files that people open in a spreadsheet. A spreadsheet runs a cell that begins with
 * `=`, `@`, `+`, `-`, a tab or a carriage return as a formula, and the texts come from strangers (OWASP,
 * "CSV Injection"). Such a cell gets an apostrophe in front, which spreadsheets take for "this is text".
 * Phone numbers and numbers are left alone: `+15550100` has to stay what it is for whoever reads the file next.
 */
const formulaStart = /^[=@\t\r＝＠]/;
const signStart = /^[+\-＋－]/;
const phoneOrNumber = /^(?:\+\d{1,15}|[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;
const needsQuotes = /[",;\t\r\n]|^\s|\s$/;

function withoutFormula(value: string): string {
  const isFormula = formulaStart.test(value) || (signStart.test(value) && !phoneOrNumber.test(value));
  return isFormula ? `'${value}` : value;
}

/** Most cells: numbers, moments, words. Nothing below changes them. */
const plain = /^(?:[\w.:](?:[\w.:/ -]*[\w.:/-])?)?$/;

/** One value as a CSV cell: not a formula, and quoted where RFC 4180 or another delimiter asks for it. */
export function csvCell(value: string): string {
  if (plain.test(value)) return value;
  const text = withoutFormula(value);
  return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** One row with its newline. */
export function csvRow(values: readonly string[]): string {
  return `${values.map(csvCell).join(",")}\n`;
}
