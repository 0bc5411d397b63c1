// Makes and sends spans with the OpenTelemetry library. Imported by tracing.ts alone, and only while tracing is on.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import {
  DiagLogLevel,
  diag,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { parseTraceParent } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { Log } from "./log.ts";
import type { SpanStart, Tracer, TraceSettings } from "./tracing.port.ts";
import { version } from "./version.ts";

/** Spans of one process that wait to be sent. Beyond these they are dropped, so that a slow collector slows nothing. */
const MAX_WAITING = 4_096;
const SEND_EVERY_MS = 2_000;
const SEND_WITHIN_MS = 5_000;
const STOP_WITHIN_MS = 2_000;

const kinds: Record<SpanStart["kind"], SpanKind> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

export function createTracer(
  { endpoint, headers, ratio }: TraceSettings,
  service: string,
  log: Log,
): Tracer {
  const warn = (message: string) => log.warn({ why: message.slice(0, 300) }, "spans not sent");
  const quiet = () => {};
  diag.setLogger(
    { error: warn, warn, info: quiet, debug: quiet, verbose: quiet },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/$/, "")}/v1/traces`,
    headers,
    timeoutMillis: SEND_WITHIN_MS,
  });
  // A caller may name its trace, but not decide how many traces this server sends.
  const sampler = new TraceIdRatioBasedSampler(ratio);
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      "service.name": service,
      "service.version": version,
      "service.instance.id": randomUUID(),
    }),
    sampler: new ParentBasedSampler({
      root: sampler,
      remoteParentSampled: sampler,
      remoteParentNotSampled: sampler,
    }),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter,
        maxQueueSize: MAX_WAITING,
        scheduledDelayMillis: SEND_EVERY_MS,
        exportTimeoutMillis: SEND_WITHIN_MS,
      }),
    ],
  });
  const tracer = provider.getTracer("cabinet", version);
  return {
    start({ name, kind, parent, startMs, facts = {} }) {
      const from = parent === undefined ? null : parseTraceParent(parent);
      const span = tracer.startSpan(
        name,
        {
          kind: kinds[kind],
          attributes: facts,
          ...(startMs !== undefined && { startTime: startMs }),
        },
        from ? trace.setSpanContext(ROOT_CONTEXT, { ...from, isRemote: true }) : ROOT_CONTEXT,
      );
      const { traceId, spanId, traceFlags } = span.spanContext();
      return {
        traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`,
        end(more = {}, isFailed = false) {
          span.setAttributes(more);
          if (isFailed) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    // Sends what waits; a collector that does not answer must not hold up the stop of the process.
    stop: () =>
      Promise.race([provider.shutdown(), sleep(STOP_WITHIN_MS, undefined, { ref: false })]),
  };
}
