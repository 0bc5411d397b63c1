// Metrics for Prometheus: the process, HTTP calls by route, and what features add.
import type { FastifyInstance } from "fastify";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

export const registry = new Registry();
collectDefaultMetrics({ register: registry });

const requestSeconds = new Histogram({
  name: "http_request_seconds",
  help: "Duration of HTTP calls by route, method and status",
  labelNames: ["method", "route", "status"],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  registers: [registry],
});

export const liveConnections = new Gauge({
  name: "live_connections",
  help: "Open push channels of consoles",
  registers: [registry],
});

export const deviceMessages = new Counter({
  name: "device_messages_total",
  help: "Messages received from cabinets by kind and outcome",
  labelNames: ["kind", "outcome"],
  registers: [registry],
});

export const commandSeconds = new Histogram({
  name: "command_seconds",
  help: "From a command's creation to each of its stages",
  labelNames: ["kind", "state"],
  buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
  registers: [registry],
});

export function observeRequests(app: FastifyInstance): void {
  app.addHook("onResponse", async (request, reply) => {
    const route = request.routeOptions.url ?? "none";
    requestSeconds.observe(
      { method: request.method, route, status: reply.statusCode },
      reply.elapsedTime / 1000,
    );
  });
}
