// One span for each call: the root of its trace, or the continuation of the caller's `traceparent`.
import type { FastifyInstance } from "fastify";
import type { Span } from "../tracing.port.ts";
import { isTracing, startSpan, within } from "../tracing.ts";

declare module "fastify" {
  interface FastifyRequest {
    span: Span | null;
  }
}

/** Adds no hook while tracing is off. Files of the console, health and metrics are no calls. */
export function traceRequests(app: FastifyInstance): void {
  if (!isTracing()) return;
  app.decorateRequest("span", null);
  app.addHook("onRequest", (request, _reply, done) => {
    const { routeOptions, method, id } = request;
    if (!routeOptions.config.spec) return done();
    const { traceparent } = request.headers;
    const span = startSpan({
      name: `${method} ${routeOptions.url}`,
      kind: "server",
      parent: typeof traceparent === "string" ? traceparent : undefined,
      facts: { "http.request.method": method, "http.route": routeOptions.url, "request.id": id },
    });
    request.span = span;
    if (span) within(span, done);
    else done();
  });
  // The parser of a body calls on from the events of its socket, which know no span.
  app.addHook("preValidation", ({ span }, _reply, done) => {
    if (span) within(span, done);
    else done();
  });
  app.addHook("onResponse", async ({ span, session, endUser, partnerCall, refusalCode }, reply) => {
    const { statusCode } = reply;
    span?.end(
      {
        "http.response.status_code": statusCode,
        "error.type": refusalCode ?? undefined,
        "tenant.id": (session ?? endUser ?? partnerCall?.partner)?.tenantId,
      },
      statusCode >= 500,
    );
  });
}
