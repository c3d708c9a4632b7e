/** What was asked of the sandbox, by route. */
export interface RequestStats {
  readonly requests: number;
  /** Requests by route name, such as `GET /v1/batch-calls/:id`. */
  readonly routes: Readonly<Record<string, RouteStats>>;
}

interface RouteStats {
  readonly requests: number;
  /** Answers by status. Those cut off by a fault count under the status that they would have had. */
  readonly statuses: Readonly<Record<string, number>>;
}

export class Stats {
  readonly #routes = new Map<string, { requests: number; statuses: Map<number, number> }>();

  asked(route: string): void {
    this.#of(route).requests += 1;
  }

  answered(route: string, status: number): void {
    const { statuses } = this.#of(route);
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }

  read(): RequestStats {
    const routes: Record<string, RouteStats> = {};
    let requests = 0;
    for (const [name, route] of this.#routes) {
      routes[name] = { requests: route.requests, statuses: Object.fromEntries(route.statuses) };
      requests += route.requests;
    }
    return { requests, routes };
  }

  #of(route: string) {
    let found = this.#routes.get(route);
    if (found === undefined) {
      found = { requests: 0, statuses: new Map() };
      this.#routes.set(route, found);
    }
    return found;
  }
}
