import { describe, expect, it } from "vitest";

import { readConfig } from "../../src/config.ts";

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318/" };

describe("settings of traces", () => {
  it("trace nothing unless they name an endpoint", () => {
    expect(readConfig({}).traces).toBeUndefined();
    expect(readConfig({ OTEL_SERVICE_NAME: "x", OTEL_TRACES_SAMPLER: "always_on" }).traces).toBeUndefined();
  });

  it("stand for what OpenTelemetry has them stand for", () => {
    expect(readConfig(ENDPOINT).traces).toEqual({
      url: "http://127.0.0.1:4318/v1/traces",
      protocol: "http/protobuf",
      headers: {},
      timeoutMs: 10_000,
      isCompressed: false,
      serviceName: "outdial",
      resource: {},
      sampler: "parentbased_always_on",
      ratio: 1,
    });
    expect(
      readConfig({
        ...ENDPOINT,
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://otlp.example.com/custom",
        OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
        OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20abc=, x-team = voice",
        OTEL_EXPORTER_OTLP_TIMEOUT: "500",
        OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
        OTEL_RESOURCE_ATTRIBUTES: "service.name=callers,deployment.environment.name=a%2Cb",
        OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
        OTEL_TRACES_SAMPLER_ARG: "0.25",
      }).traces,
    ).toMatchObject({
      url: "https://otlp.example.com/custom",
      protocol: "http/json",
      headers: { authorization: "Bearer abc=", "x-team": "voice" },
      timeoutMs: 500,
      isCompressed: true,
      serviceName: "callers",
      resource: { "deployment.environment.name": "a,b" },
      sampler: "parentbased_traceidratio",
      ratio: 0.25,
    });
    const named = { OTEL_SERVICE_NAME: "eu", OTEL_RESOURCE_ATTRIBUTES: "service.name=callers" };
    expect(readConfig({ ...ENDPOINT, ...named }).traces?.serviceName).toBe("eu");
  });

  it.each([
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "127.0.0.1:4317", /must be an http or https address/],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "http://user:secret-word@host", /must not hold a user name/],
    ["OTEL_EXPORTER_OTLP_PROTOCOL", "grpc", /must be http\/protobuf or http\/json/],
    ["OTEL_EXPORTER_OTLP_HEADERS", "secret-word", /must be key=value pairs/],
    ["OTEL_EXPORTER_OTLP_HEADERS", "a=secret-word%0d%0ax: y", /printable ASCII/],
    ["OTEL_EXPORTER_OTLP_HEADERS", "a b=secret-word", /names of HTTP headers/],
    ["OTEL_EXPORTER_OTLP_HEADERS", "a=%secret-word", /must be key=value pairs/],
    ["OTEL_EXPORTER_OTLP_TIMEOUT", "0", /must be 100 or more/],
    ["OTEL_TRACES_SAMPLER", "xray", /must be always_on, always_off, /],
    ["OTEL_TRACES_SAMPLER_ARG", "2", /must be 0 to 1/],
  ])("%s=%s is refused with what it must be, and not shown", (name, value, says) => {
    const read = () => readConfig({ [name]: value });
    expect(read).toThrow(says);
    expect(read).toThrow(name);
    expect(read).not.toThrow(/secret-word/);
  });
});
