// The live channel to consoles: server-sent events that name what changed, never its contents.
import {
  LIVE_MISSED_HEADER,
  LIVE_PATH,
  LIVE_PING_HEADER,
  LIVE_PING_MS,
  LIVE_TOPICS,
  type LiveEvent,
  topicPermissions,
} from "@cabinet/contract/live/live.rules.ts";
import type { FastifyInstance } from "fastify";
import { isPlatformStaff, mayDo } from "../context.ts";
import type { Db } from "../db/db.ts";
import { type Listener, notify } from "../db/notify.ts";
import { sql } from "../db/sql.ts";
import { refuse } from "../errors.ts";
import type { TenantUse } from "../limits/tenant-use.rules.ts";
import { liveConnections } from "../metrics.ts";
import { type Gatekeeper, type LiveSession, requireAccess, signIn } from "./http-access.ts";
import { isGone } from "./tls.ts";

/** An event has some dozens of bytes: a client with this much unread data is gone. */
const MAX_UNREAD_BYTES = 1024 * 1024;

/** Channels of one account open at a time, in each process; its tenant has a limit for all processes. */
const MOST_OF_ACCOUNT = 30;
const FULL_SECONDS = 60;

interface TenantEvent extends LiveEvent {
  /** Null: every tenant. */
  tenantId: number | null;
}

/** The event as sent between processes. */
interface PublishedEvent extends TenantEvent {
  /** The store of the cabinet; null: no cabinet, or one without a store. */
  storeId: number | null;
}

/** Remembered events of all tenants: half a minute of a busy site. */
const MOST_REMEMBERED = 2_000;
/** Another process may have answered a call before the event of its change arrived here. */
const ON_THE_WAY_MS = 1_000;

/** Latest events, for consoles whose channel opens after their first calls. */
class RecentEvents {
  readonly #events: { event: PublishedEvent; at: number }[] = [];
  /** By `performance.now()`; no event since then is missing. */
  #completeSince = performance.now();

  add(event: PublishedEvent): void {
    const at = performance.now();
    if (this.#events.push({ event, at }) <= MOST_REMEMBERED) return;
    this.#completeSince = this.#events.shift()?.at ?? at;
  }

  /** The listener may have lost events until now. */
  forget(): void {
    this.#events.length = 0;
    this.#completeSince = performance.now();
  }

  /** The events of the last `ms`, the oldest first; null: some of them are not known. */
  ofLast(ms: number): PublishedEvent[] | null {
    const from = performance.now() - ms - ON_THE_WAY_MS;
    // False too if `ms` is no number.
    if (!(from >= this.#completeSince)) return null;
    return this.#events.filter(({ at }) => at >= from).map(({ event }) => event);
  }
}

/** Any change of any topic, for a console that may have missed some. */
const EVERYTHING: readonly PublishedEvent[] = LIVE_TOPICS.map((topic) => ({
  ...{ topic, tenantId: null, cabinetId: null, storeId: null },
}));

/** Publishes to the consoles that may see it, once the transaction commits. */
export async function pushLive(db: Db, event: TenantEvent): Promise<void> {
  const { tenantId, cabinetId } = event;
  await db.run(sql`
    select pg_notify('live', (${JSON.stringify(event)}::jsonb || jsonb_build_object('storeId', (
      select store_id from cabinet where tenant_id = ${tenantId} and id = ${cabinetId})))::text)`);
}

/** The tenant, permission and store checks of the calls that read what changed. */
function mayReceive(session: LiveSession, event: PublishedEvent): boolean {
  const { tenantId, topic, cabinetId, storeId } = event;
  const isOfTenant = tenantId === null || tenantId === session.tenantId || isPlatformStaff(session);
  const permissions = topicPermissions[topic];
  const isAllowed =
    permissions === null || permissions.some((permission) => mayDo(session, permission));
  const isInScope =
    cabinetId === null ||
    session.storeIds === null ||
    (storeId !== null && session.storeIds.has(storeId));
  return isOfTenant && isAllowed && isInScope;
}

/** Sessions that may have ended: of one account, or of a whole tenant. */
interface SessionNotice {
  tenantId: number;
  operatorId?: number;
}

/** After the commit, open consoles of these accounts reload their sessions. */
export function recheckSessions(db: Db, sessions: SessionNotice): Promise<void> {
  return notify(db, "session", sessions);
}

/** Numbers of open channels by account; `TenantUse` has those by tenant. */
class OpenChannels {
  readonly #counts = new Map<string, number>();
  readonly #use: TenantUse;

  constructor(use: TenantUse) {
    this.#use = use;
  }

  /** Refuses a channel beyond the limits; returns the release of its place. */
  take({ homeTenantId, operatorId }: LiveSession): () => void {
    const account = `${homeTenantId} ${operatorId}`;
    const count = this.#counts.get(account) ?? 0;
    if (count >= MOST_OF_ACCOUNT) refuse("RATE_LIMITED", { seconds: FULL_SECONDS });
    const excess = this.#use.openLiveChannel(homeTenantId);
    if (excess) refuse("TENANT_CHANNELS_USED_UP", { ...excess, seconds: FULL_SECONDS });
    this.#counts.set(account, count + 1);
    return () => {
      this.#use.closeLiveChannel(homeTenantId);
      const left = (this.#counts.get(account) ?? 0) - 1;
      if (left > 0) this.#counts.set(account, left);
      else this.#counts.delete(account);
    };
  }
}

/** A session is reloaded, which takes a statement, with every fourth ping; during an outage with every one. */
const PINGS_PER_RELOAD = 4;

/** Reloads the session with pings and notifications, so that revoked access ends at once. */
export function addLiveRoute(
  app: FastifyInstance,
  { listener, gatekeeper, use }: { listener: Listener; gatekeeper: Gatekeeper; use: TenantUse },
) {
  const closers = new Set<() => void>();
  const channels = new OpenChannels(use);
  const recent = new RecentEvents();
  const closeAll = () => {
    for (const close of closers) close();
  };
  app.addHook("preClose", async () => closeAll());
  listener.on("live", (payload) => recent.add(payload as PublishedEvent));
  // Notifications sent meanwhile are lost: consoles reopen their channel and repeat all calls.
  listener.onReconnect(() => {
    recent.forget();
    closeAll();
  });
  app.get(LIVE_PATH, {
    onRequest: async (request) => {
      request.session = await signIn(request, gatekeeper);
      requireAccess(request.session, {
        method: "GET",
        path: "/admin/v1/live",
        access: "signed-in",
      });
    },
    handler: async (request, reply) => {
      const token = String(request.headers["auth-token"]);
      const found = await gatekeeper.findLiveSession(token);
      if (!found) return refuse("SIGN_IN_REQUIRED");
      let session = found;
      const stream = reply.raw;
      // Its close was reported before anybody listened.
      if (isGone(stream)) return reply.hijack();
      const release = channels.take(session);
      reply.hijack();
      stream.writeHead(200, {
        "content-type": "text/event-stream; charset=utf-8",
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        "x-accel-buffering": "no",
        [LIVE_PING_HEADER]: LIVE_PING_MS,
      });
      stream.write(": ready\n\n");
      /** Closes the channel and returns false when the session has ended. */
      const refresh = async () => {
        const current = await gatekeeper.findLiveSession(token);
        if (current) session = current;
        else close();
        return current !== null;
      };
      const send = (event: PublishedEvent) => {
        if (!mayReceive(session, event)) return;
        // Permissions or stores may have changed. During an outage the next ping tries again.
        if (event.topic === "access") refresh().catch(() => {});
        if (stream.writableLength <= MAX_UNREAD_BYTES) {
          const { topic, cabinetId } = event;
          stream.write(`data: ${JSON.stringify({ topic, cabinetId })}\n\n`);
          return;
        }
        close();
        stream.destroy();
      };
      const stopListening = listener.on("live", (payload) => send(payload as PublishedEvent));
      const stopWatching = listener.on("session", (payload) => {
        const { tenantId, operatorId = session.operatorId } = payload as SessionNotice;
        const isMeant = tenantId === session.tenantId || tenantId === session.homeTenantId;
        // During an outage the next ping tries again.
        if (isMeant && operatorId === session.operatorId) refresh().catch(() => {});
      });
      let left = PINGS_PER_RELOAD;
      const ping = setInterval(() => {
        const isKnown = --left > 0 ? Promise.resolve(true) : refresh();
        isKnown.then(
          (isAlive) => {
            if (left <= 0) left = PINGS_PER_RELOAD;
            if (isAlive && closers.has(close)) stream.write(": ping\n\n");
          },
          // No ping during an outage: consoles notice the silence and reconnect.
          () => {},
        );
      }, LIVE_PING_MS);
      liveConnections.inc();
      function close() {
        if (!closers.delete(close)) return;
        clearInterval(ping);
        stopListening();
        stopWatching();
        release();
        liveConnections.dec();
        stream.end();
      }
      closers.add(close);
      stream.on("close", close);
      const missedMs = request.headers[LIVE_MISSED_HEADER];
      if (missedMs === undefined) return;
      for (const event of recent.ofLast(Number(missedMs)) ?? EVERYTHING) send(event);
    },
  });
}
