import { describe, expect, it } from "vitest";

import { readConfig } from "../../src/config.ts";

const metricsOf = (text: string) => readConfig({ OUTDIAL_METRICS_LISTEN: text }).metrics;

describe("OUTDIAL_METRICS_LISTEN", () => {
  it("opens nothing unless it is set", () => {
    expect(readConfig({}).metrics).toBeUndefined();
    expect(metricsOf("")).toBeUndefined();
  });

  it.each([
    ["9464", "127.0.0.1", 9464],
    ["0", "127.0.0.1", 0],
    ["127.0.0.1:9464", "127.0.0.1", 9464],
    ["0.0.0.0:9464", "0.0.0.0", 9464],
    ["[::1]:9464", "::1", 9464],
    ["metrics.internal:65535", "metrics.internal", 65_535],
  ])("%s is this machine alone unless it says where", (text, host, port) => {
    expect(metricsOf(text)).toEqual({ host, port });
  });

  it.each(["metrics", "127.0.0.1", "65536", "127.0.0.1:65536", "::1:9464", "http://127.0.0.1:9464", ":9464"])(
    "%s is refused with what it must be",
    (text) => {
      expect(() => metricsOf(text)).toThrow(
        /OUTDIAL_METRICS_LISTEN must be an address and a port, or a port from 0 to 65535; for example OUTDIAL_METRICS_LISTEN=127\.0\.0\.1:9464/,
      );
    },
  );
});
