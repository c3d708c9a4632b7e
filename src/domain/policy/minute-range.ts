/** A stretch of one local day, in minutes from its midnight; `endMinute` is exclusive, 1440 at most. */
export interface MinuteRange {
  startMinute: number;
  endMinute: number;
}

/** Reads `HH:MM-HH:MM`. The end may be 24:00; a range may not cross midnight. Undefined where it is not one. */
export function parseMinuteRange(text: string): MinuteRange | undefined {
  const match = /^(\d{2}):(\d{2})-(\d{2}):(\d{2})$/.exec(text.trim());
  if (!match) return undefined;
  const [startHour = 0, startMin = 0, endHour = 0, endMin = 0] = match.slice(1).map(Number);
  if (startMin > 59 || endMin > 59) return undefined;
  const startMinute = startHour * 60 + startMin;
  const endMinute = endHour * 60 + endMin;
  if (startMinute >= endMinute || endMinute > 1_440) return undefined;
  return { startMinute, endMinute };
}
