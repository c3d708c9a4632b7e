import { FAMILIES, OF_ONE } from "./event-types.ts";

/** What is read of an event. */
export interface Told {
  campaign_id?: string | null;
  campaign?: string | null;
  callbacks_of?: string | null;
  data?: Readonly<Record<string, unknown>>;
}

/** Whether the answer to what was asked is old: the operation, and the parameters of its address. */
export type IsOld = (operation: unknown, path: unknown) => boolean;

/** However many come, each answer is asked for once in so long at most. */
export const GATHER_MS = 2_000;

/** Gathers what events say, and says it at most once in two seconds. */
export class OldAnswers {
  #operations = new Set<string>();
  #campaigns = new Set<string>();
  #ones = new Set<string>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #tell: (isOld: IsOld) => void;

  constructor(tell: (isOld: IsOld) => void) {
    this.#tell = tell;
  }

  add(type: string, { campaign_id: id, campaign, callbacks_of: parent, data }: Told): void {
    for (const operation of FAMILIES[type.split(".")[0] ?? ""] ?? []) {
      const one = OF_ONE[operation];
      if (one === undefined) this.#operations.add(operation);
      else this.#ones.add(keyOf(operation, data?.[one.field]));
    }
    for (const ref of [id, campaign, parent]) if (ref) this.#campaigns.add(ref);
    this.#timer ??= setTimeout(() => this.#flush(), GATHER_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #flush(): void {
    const operations = this.#operations;
    const campaigns = this.#campaigns;
    const ones = this.#ones;
    this.#operations = new Set();
    this.#campaigns = new Set();
    this.#ones = new Set();
    this.#timer = undefined;
    this.#tell((operation, path) => {
      if (operations.has(String(operation))) return true;
      const one = OF_ONE[String(operation)];
      if (one !== undefined)
        return ones.has(keyOf(String(operation), Reflect.get(Object(path), one.parameter)));
      const ref: unknown = Reflect.get(Object(path), "ref");
      return operations.has("ofCampaign") && typeof ref === "string" && campaigns.has(ref);
    });
  }
}

/** Numbers are typed with spaces and the like by people, and told without. */
function keyOf(operation: string, of: unknown): string {
  return `${operation} ${String(of).replaceAll(/[\s().-]/g, "")}`;
}
