// Interface of what makes spans: `tracing-sdk.ts` implements it, and is loaded only while tracing is on.

export interface TraceSettings {
  /** Base URL of the collector; spans go to `/v1/traces` below it (OTLP over HTTP, JSON). */
  endpoint: string;
  headers: Record<string, string>;
  /** Share of the traces that are sent, from 0 to 1. */
  ratio: number;
}

export interface SpanStart {
  name: string;
  kind: "server" | "client" | "producer" | "consumer";
  /** `traceparent` (W3C Trace Context) of the span that caused this one; a malformed one begins a new trace. */
  parent?: string | undefined;
  /** Unix milliseconds; default: now. */
  startMs?: number;
  facts?: SpanFacts;
}

/** Names, ids and states only: never values of a statement, phone numbers, texts or tokens. */
export type SpanFacts = Record<string, string | number | undefined>;

export interface Span {
  readonly traceparent: string;
  end(facts?: SpanFacts, isFailed?: boolean): void;
}

export interface Tracer {
  start(span: SpanStart): Span;
  stop(): Promise<void>;
}
