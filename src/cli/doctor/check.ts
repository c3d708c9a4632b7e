/** One thing that was looked at. */
export interface Check {
  name: string;
  status: "ok" | "warn" | "fail";
  detail: string;
  /** What to do; where all is well, nothing. */
  remedy?: string;
}

export function ok(name: string, detail: string): Check {
  return { name, status: "ok", detail };
}

export function warn(name: string, detail: string, remedy: string): Check {
  return { name, status: "warn", detail, remedy };
}

export function fail(name: string, detail: string, remedy: string): Check {
  return { name, status: "fail", detail, remedy };
}
