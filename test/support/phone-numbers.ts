/** Numbers that look real and belong to nobody: only the sandbox ever dials them. */
export function phoneNumbers(count: number, from = 0): string[] {
  return Array.from(
    { length: count },
    (_, index) => `+1202${String(5_550_000 + from + index).padStart(7, "0")}`,
  );
}
