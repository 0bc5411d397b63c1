// Spans for an OpenTelemetry collector. Off by default: then nothing of its library is loaded, and no span is made.
import { AsyncLocalStorage } from "node:async_hooks";
import type { Log } from "./log.ts";
import type { Span, SpanStart, Tracer, TraceSettings } from "./tracing.port.ts";

const active = new AsyncLocalStorage<Span>();
let tracer: Tracer | null = null;

/** `service`: name of this process in traces. */
export async function startTracing(
  settings: TraceSettings,
  service: string,
  log: Log,
): Promise<{ stop(): Promise<void> }> {
  const { createTracer } = await import("./tracing-sdk.ts");
  const running = createTracer(settings, service, log);
  tracer = running;
  return {
    async stop() {
      tracer = null;
      await running.stop();
    },
  };
}

export const isTracing = () => tracer !== null;

/** Null while tracing is off. */
export function startSpan(span: SpanStart): Span | null {
  return tracer?.start(span) ?? null;
}

/** Statements and commands of `work` belong to the span. */
export function within<Result>(span: Span, work: () => Result): Result {
  return active.run(span, work);
}

/** `traceparent` of the request that is being handled, for rows that another process continues from. */
export function currentTraceparent(): string | null {
  return active.getStore()?.traceparent ?? null;
}

/** Runs `work` as the continuation of a span of another process; without one, as it is. */
export function continued<Result>(
  span: Omit<SpanStart, "parent"> & { parent: string | null },
  work: () => Promise<Result>,
): Promise<Result> {
  const { parent, ...rest } = span;
  const started = tracer && parent ? tracer.start({ ...rest, parent }) : null;
  return started ? ended(started, () => within(started, work)) : work();
}

/** One span for each statement of a request. Background work has no request and makes none. */
export function tracedStatement<Result>(
  text: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const parent = tracer && active.getStore();
  if (!tracer || !parent) return work();
  const name = statementSummary(text);
  const facts = { "db.system.name": "postgresql", "db.query.summary": name };
  const span = tracer.start({ name, kind: "client", parent: parent.traceparent, facts });
  return ended(span, work);
}

async function ended<Result>(span: Span, work: () => Promise<Result>): Promise<Result> {
  try {
    const result = await work();
    span.end();
    return result;
  } catch (error) {
    span.end({ "error.type": (error as { code?: string }).code ?? (error as Error).name }, true);
    throw error;
  }
}

const summaries = new Map<string, string>();

/** `INSERT command`: the statement that writes, or what the first select reads. */
export function statementSummary(text: string): string {
  let summary = summaries.get(text);
  if (summary === undefined) {
    const [, insert, remove, update] =
      /\binsert into (\w+)|\bdelete from (\w+)|(?<!\b(?:for|key|do) )\bupdate (\w+)/.exec(text) ??
      [];
    const read = /\bfrom (\w+)/.exec(text)?.[1] ?? /\bselect (\w+)\(/.exec(text)?.[1];
    if (insert) summary = `INSERT ${insert}`;
    else if (remove) summary = `DELETE ${remove}`;
    else if (update) summary = `UPDATE ${update}`;
    else summary = read ? `SELECT ${read}` : "SELECT";
    summaries.set(text, summary);
  }
  return summary;
}
