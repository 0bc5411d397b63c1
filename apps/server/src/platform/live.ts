// The push channel to consoles: server-sent events that say what changed, never its contents.
import { LIVE_PATH, LIVE_PING_MS, type LiveEvent } from "@cabinet/contract/live/live.rules.ts";
import type { FastifyInstance } from "fastify";
import { isPlatformStaff, type Session } from "./context.ts";
import type { Db } from "./db.ts";
import { type Gatekeeper, signIn } from "./http-access.ts";
import { liveConnections } from "./metrics.ts";
import { type Listener, notify } from "./notify.ts";

/** Events are some dozens of bytes: whoever leaves so much unread is not there any more. */
const MAX_UNREAD_BYTES = 1024 * 1024;

interface TenantEvent extends LiveEvent {
  /** Null: every tenant. */
  tenantId: number | null;
}

/** Tells the consoles that may see this tenant, once the transaction commits. */
export function pushLive(db: Db, event: TenantEvent): Promise<void> {
  return notify(db, "live", event);
}

/** Whose sessions may have ended: one account's, or those of a whole tenant. */
interface SessionNotice {
  tenantId: number;
  operatorId?: number;
}

/** With the commit the consoles of these accounts look whether their sessions are still alive. */
export function recheckSessions(db: Db, whose: SessionNotice): Promise<void> {
  return notify(db, "session", whose);
}

/** The session is looked at again with every ping and when it is told, so that a revoked one goes quiet. */
export function addLiveRoute(app: FastifyInstance, listener: Listener, gatekeeper: Gatekeeper) {
  const closers = new Set<() => void>();
  const closeAll = () => {
    for (const close of closers) close();
  };
  app.addHook("preClose", async () => closeAll());
  // What was said meanwhile is lost: consoles that open their channel anew ask again for everything.
  listener.onReconnect(closeAll);
  app.get(LIVE_PATH, {
    onRequest: async (request) => {
      request.session = await signIn(request, gatekeeper);
    },
    handler: async (request, reply) => {
      const session = request.session as Session;
      reply.hijack();
      const stream = reply.raw;
      stream.writeHead(200, {
        "content-type": "text/event-stream; charset=utf-8",
        "cache-control": "no-store",
        "x-accel-buffering": "no",
      });
      stream.write(": ready\n\n");
      const stopListening = listener.on("live", (payload) => {
        const { tenantId, ...event } = payload as TenantEvent;
        const isTheirs = tenantId === null || tenantId === session.tenantId;
        if (!isTheirs && !isPlatformStaff(session)) return;
        if (stream.writableLength <= MAX_UNREAD_BYTES) {
          stream.write(`data: ${JSON.stringify(event)}\n\n`);
          return;
        }
        close();
        stream.destroy();
      });
      const closeUnlessAlive = async () => {
        const token = String(request.headers["auth-token"]);
        if (await gatekeeper.isSessionAlive(token)) return true;
        close();
        return false;
      };
      const stopWatching = listener.on("session", (payload) => {
        const { tenantId, operatorId = session.operatorId } = payload as SessionNotice;
        const isMeant = tenantId === session.tenantId || tenantId === session.homeTenantId;
        // What cannot be known now is asked again with the next ping.
        if (isMeant && operatorId === session.operatorId) closeUnlessAlive().catch(() => {});
      });
      const ping = setInterval(() => {
        closeUnlessAlive().then(
          (isAlive) => {
            if (isAlive && closers.has(close)) stream.write(": ping\n\n");
          },
          // The database is away: the channel says nothing, which consoles notice, and asks again.
          () => {},
        );
      }, LIVE_PING_MS);
      liveConnections.inc();
      function close() {
        if (!closers.delete(close)) return;
        clearInterval(ping);
        stopListening();
        stopWatching();
        liveConnections.dec();
        stream.end();
      }
      closers.add(close);
      stream.on("close", close);
    },
  });
}
