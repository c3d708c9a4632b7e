import { expect, it } from "vitest";

import { PartFailedError, supervise, type Ended, type Part } from "../../../src/cli/up/supervise.ts";

/** A process that does what the test says. */
interface Played extends Part {
  end(how: Partial<Ended>): void;
  comeUp(): void;
  stuck: boolean;
  readonly told: string[];
}

function promised<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

function play(): Played {
  const ended = promised<Ended>();
  const up = promised<void>();
  const told: string[] = [];
  return {
    ended: ended.promise,
    up: up.promise,
    stuck: false,
    told,
    isStuck() {
      return this.stuck;
    },
    stop() {
      told.push("stop");
      ended.resolve({ code: 0, signal: null });
    },
    kill() {
      told.push("kill");
      ended.resolve({ code: null, signal: "SIGKILL" });
    },
    end: (how) => ended.resolve({ code: null, signal: null, ...how }),
    comeUp: () => up.resolve(),
  };
}

/** A supervisor whose time goes by as it waits, and whose processes are played one after the other; those beyond the script end by nobody. */
function stage(script: ((part: Played) => void)[] = []) {
  const controller = new AbortController();
  const said: string[] = [];
  const waits: number[] = [];
  const started: Played[] = [];
  let nowMs = 0;
  const over = supervise({
    name: "server",
    start() {
      const part = play();
      script[started.length]?.(part);
      started.push(part);
      return part;
    },
    say: (message) => void said.push(message),
    signal: controller.signal,
    async wait(ms) {
      // All but the looks at a process that runs.
      if (ms !== 15_000) waits.push(ms);
      nowMs += ms;
      if (waits.length >= 9) controller.abort();
      await new Promise((resolve) => setImmediate(resolve));
    },
    now: () => nowMs,
  });
  return { over, controller, said, waits, started, goBy: (ms: number) => (nowMs += ms) };
}

const dies = (how: Partial<Ended>) => (part: Played) => {
  part.comeUp();
  setImmediate(() => part.end(how));
};

it("starts what ends again, after a second at first and a minute at most", async () => {
  const { over, waits, said } = stage(Array.from({ length: 10 }, () => dies({ code: 1 })));
  await over;
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
  expect(said[0]).toBe("the server ended (exit code 1): it is started again in 1s");
});

it("begins anew with a second where a process ran well for a minute", async () => {
  const scene = stage([
    dies({ signal: "SIGSEGV" }),
    dies({ signal: "SIGSEGV" }),
    (part) => {
      part.comeUp();
      setImmediate(() => {
        scene.goBy(60_000);
        part.end({ code: 1 });
      });
    },
    ...Array.from({ length: 10 }, () => dies({ code: 1 })),
  ]);
  await scene.over;
  expect(scene.waits.slice(0, 4)).toEqual([1_000, 2_000, 1_000, 1_000]);
});

it("does not try again what never came up", async () => {
  const { over, started } = stage([(part) => part.end({ code: 2 })]);
  const error = await over.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(PartFailedError);
  expect(error).toMatchObject({ exitCode: 2, message: "the server did not come up (exit code 2)" });
  expect(started).toHaveLength(1);
});

it("kills what gives no sign of life at two looks, and starts it again", async () => {
  const scene = stage([
    (part) => {
      part.comeUp();
      part.stuck = true;
    },
    () => setImmediate(() => scene.controller.abort()),
  ]);
  await scene.over;
  expect(scene.started.map(({ told }) => told)).toEqual([["kill"], ["stop"]]);
  expect(scene.said).toEqual([
    "the server ended (it gave no sign of life, and was killed): it is started again in 1s",
  ]);
});

it("has what runs end in good order, and waits for it", async () => {
  const { over, controller, started } = stage();
  controller.abort();
  await over;
  expect(started.map(({ told }) => told)).toEqual([["stop"]]);
});
