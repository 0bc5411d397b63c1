// Graceful shutdown (promise S1): answers requests under way, refuses new ones, waits for nothing else.
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { refuse } from "./errors.ts";

/** What is running may finish for this long. */
export const DRAIN_MS = 8_000;
const LOOK_EVERY_MS = 50;

/**
 * Browsers open connections ahead of time, and Node takes one that has never said anything for busy:
 * the server would wait for it until it times out. After the drain the rest is cut off too.
 */
export function closeInTime(app: FastifyInstance, drainMs = DRAIN_MS): void {
  const open = new Set<Socket>();
  app.server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  let look: NodeJS.Timeout | undefined;
  let deadline: NodeJS.Timeout | undefined;
  let isClosing = false;
  // New requests on connections that are still open: the load balancer sends them elsewhere.
  app.addHook("onRequest", async () => {
    if (isClosing) refuse("OVERLOADED");
  });
  app.addHook("preClose", async () => {
    isClosing = true;
    look = setInterval(() => {
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
    }, LOOK_EVERY_MS);
    deadline = setTimeout(() => app.server.closeAllConnections(), drainMs);
  });
  app.addHook("onClose", async () => {
    clearInterval(look);
    clearTimeout(deadline);
  });
}
