// Typed HTTP calls of the contract, as an app or a console makes them.
import {
  type EndpointSpec,
  type Input,
  type Reply,
  urlPath,
} from "@cabinet/contract/kit/endpoint.ts";
import { PRESS_HEADER, ServerClock } from "@cabinet/contract/kit/press.rules.ts";

/** The server refused the call; `message` is the text for the user. */
export class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export type Headers = Readonly<Record<string, string>>;

/** Input of a call, limited to the parts that the endpoint has. */
export type CallInput<Spec extends EndpointSpec> = {
  [Part in "params" | "query" | "body" as undefined extends Input<Spec>[Part]
    ? never
    : Part]: Partial<Input<Spec>[Part]>;
};

const TIMEOUT_MS = 10_000;
const clock = new ServerClock();

/** Throws `Refused`, or another error if there was no response. */
export async function callServer<Spec extends EndpointSpec>(
  server: string,
  spec: Spec,
  input: CallInput<Spec>,
  headers: Headers = {},
): Promise<Reply<Spec>> {
  const { params, query, body } = input as Partial<Record<string, Record<string, unknown>>>;
  const path = urlPath(spec).replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(String(params?.[name])),
  );
  const url = new URL(path, server);
  for (const [name, value] of Object.entries(query ?? {})) {
    url.searchParams.set(name, String(value));
  }
  const form = spec.bodyForm === "form";
  const sentAt = Date.now();
  const response = await fetch(url, {
    method: spec.method,
    headers: {
      ...headers,
      ...(spec.pressed && { [PRESS_HEADER]: String(clock.at(sentAt)) }),
      ...(body && {
        "content-type": form ? "application/x-www-form-urlencoded" : "application/json",
      }),
    },
    ...(body && {
      body: form
        ? new URLSearchParams(body as Record<string, string>).toString()
        : JSON.stringify(body),
    }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  clock.learn({ sentAt, receivedAt: Date.now() }, (name) => response.headers.get(name));
  const reply = (await response.json()) as { code: number; data: Reply<Spec>; errMsg: string };
  if (reply.code !== 0) throw new Refused(response.status, reply.errMsg);
  return reply.data;
}
