// Graceful shutdown (promise S1): answers requests in flight, refuses new ones, waits for nothing else.
import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";
import { refuse } from "../errors.ts";
import { http2Sessions } from "./tls.ts";

/** Time for requests in flight to finish. */
export const DRAIN_MS = 8_000;
const LOOK_EVERY_MS = 50;
/** Another process answers meanwhile. */
const RETRY_AFTER_SECONDS = 1;

/**
 * Browsers preconnect, and Node treats a socket that never sent anything as busy: the server would wait until it times
 * out. After the drain all other sockets are cut off too.
 */
export function closeInTime(app: FastifyInstance, drainMs = DRAIN_MS): void {
  const open = new Set<Socket>();
  app.server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  const sessions = http2Sessions(app);
  let look: NodeJS.Timeout | undefined;
  let deadline: NodeJS.Timeout | undefined;
  let isClosing = false;
  // New requests on open connections are refused: the load balancer sends them elsewhere.
  app.addHook("onRequest", async () => {
    if (isClosing) refuse("OVERLOADED", { seconds: RETRY_AFTER_SECONDS });
  });
  app.addHook("preClose", async () => {
    isClosing = true;
    for (const session of sessions) session.close();
    look = setInterval(() => {
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
    }, LOOK_EVERY_MS);
    deadline = setTimeout(() => {
      for (const each of [...sessions, ...open]) each.destroy();
    }, drainMs);
  });
  app.addHook("onClose", async () => {
    clearInterval(look);
    clearTimeout(deadline);
  });
}
