// Admission to the connections of one process: three loads with reserved places, fair between tenants and accounts, and
// one small place behind them for callers who have proven nothing.
import type { Load } from "@cabinet/contract/kit/endpoint.ts";
import { networkOf } from "../http/network.rules.ts";

type Key = number | string;

/** `stranger`: a caller who has proven nothing, whatever the call. */
type Line = Load | "stranger";

/** Line, tenant and account whose share of the places a call uses. */
export interface Share {
  load: Line;
  /** A number for a tenant's calls; a text for callers of no tenant and for the server's own work. */
  tenant: Key;
  /** A tenant's share is divided equally between its accounts. */
  account: Key;
  /** Calls from outside wait in bounded queues; the server's own work always waits. */
  isBounded: boolean;
}

/** Calls that may wait for places of one load: of an account, of a tenant, and altogether. */
export const MAY_WAIT = { account: 256, tenant: 512, all: 2_048 };

/** The same for strangers: of an address, of its wide network, and altogether. */
export const STRANGERS_MAY_WAIT = { account: 64, tenant: 128, all: 256 };

/** From the heaviest: each load may use its own places and those of the loads before it. */
const LOADS = ["heavy", "interactive", "critical", "stranger"] as const;

/** Free places go to the first of these. */
const TURNS = ["critical", "interactive", "heavy", "stranger"] as const;

/** The part of `places` that each load may use, together with the loads before it; the rest is reserved. */
const placesOf: Record<Line, (places: number) => number> = {
  heavy: (places) => Math.max(1, Math.floor(places / 3)),
  interactive: (places) => Math.max(1, Math.floor((places * 3) / 4)),
  critical: (places) => places,
  stranger: (places) => places,
};

/** Places that all strangers together may use, and those that they leave free for doors. */
const ofStrangers = (places: number) => Math.max(1, Math.floor(places / 3));
const LEFT_FREE = 2;

/** One tenant's part of all places, and while other tenants call, too. */
const alone = (places: number) => Math.min(places, Math.max(4, Math.ceil(places / 2)));
const amongOthers = (places: number) => Math.min(places, Math.max(3, Math.ceil(places / 4)));

/** A tenant that has called within this time is there. */
const PRESENT_MS = 10_000;

/** A call that waits, runs or has left. */
interface Call {
  share: Share;
  start(): void;
}

/** Calls of one load. Tenants and accounts stand in the order in which they are served next. */
class LoadQueue {
  running = 0;
  waiting = 0;
  readonly #runningOf = new Map<Key, number>();
  readonly #tenants = new Map<Key, { waiting: number; accounts: Map<Key, Call[]> }>();

  runningOf(tenant: Key): number {
    return this.#runningOf.get(tenant) ?? 0;
  }

  count(tenant: Key, by: 1 | -1): void {
    this.running += by;
    const own = this.runningOf(tenant) + by;
    if (own > 0) this.#runningOf.set(tenant, own);
    else this.#runningOf.delete(tenant);
  }

  isAnyWaiting(tenant: Key): boolean {
    return this.#tenants.has(tenant);
  }

  tenantsInTurn(): Iterable<Key> {
    return this.#tenants.keys();
  }

  refusalOf({ load, tenant, account }: Share): "share-used-up" | "full" | null {
    const most = load === "stranger" ? STRANGERS_MAY_WAIT : MAY_WAIT;
    const own = this.#tenants.get(tenant);
    const ofAccount = own?.accounts.get(account)?.length ?? 0;
    if (ofAccount >= most.account || (own?.waiting ?? 0) >= most.tenant) {
      return "share-used-up";
    }
    return this.waiting >= most.all ? "full" : null;
  }

  add(call: Call): void {
    const { tenant, account } = call.share;
    const own = this.#tenants.get(tenant) ?? { waiting: 0, accounts: new Map<Key, Call[]>() };
    const line = own.accounts.get(account) ?? [];
    line.push(call);
    own.accounts.set(account, line);
    this.#tenants.set(tenant, own);
    own.waiting++;
    this.waiting++;
  }

  /** The first call of the tenant's next account. Both go to the end. */
  takeNext(tenant: Key): Call | null {
    const [line] = this.#tenants.get(tenant)?.accounts.values() ?? [];
    const call = line?.[0];
    if (!call) return null;
    this.remove(call);
    const own = this.#tenants.get(tenant);
    if (!own) return call;
    this.#tenants.delete(tenant);
    this.#tenants.set(tenant, own);
    const { account } = call.share;
    const rest = own.accounts.get(account);
    own.accounts.delete(account);
    if (rest) own.accounts.set(account, rest);
    return call;
  }

  remove(call: Call): void {
    const { tenant, account } = call.share;
    const own = this.#tenants.get(tenant);
    const line = own?.accounts.get(account);
    const at = line?.indexOf(call) ?? -1;
    if (!own || !line || at < 0) return;
    line.splice(at, 1);
    if (line.length === 0) own.accounts.delete(account);
    own.waiting--;
    if (own.waiting === 0) this.#tenants.delete(tenant);
    this.waiting--;
  }
}

/** Leaves the queue, or frees the place. Repeating it does nothing. */
export type Leave = () => void;

/** Which tenants have called of late: the last one, and the last one before that was another. */
class Presence {
  #last: { tenant: Key; at: number } | null = null;
  #before: { tenant: Key; at: number } | null = null;

  note(tenant: Key, at: number): void {
    if (this.#last?.tenant !== tenant) this.#before = this.#last;
    this.#last = { tenant, at };
  }

  hasOther(tenant: Key, now: number): boolean {
    return [this.#last, this.#before].some(
      (seen) => seen !== null && seen.tenant !== tenant && now - seen.at < PRESENT_MS,
    );
  }
}

/**
 * `heavy` may use a third of the places, `heavy` and `interactive` together three quarters: the rest is reserved for
 * `critical`. One tenant may use half of the places, and a quarter while others call; of its part, each load may again
 * use a third and three quarters. So the next tenant's call, and the tenant's own door, begin at once. Strangers together
 * may use a third, after everybody else, and leave two places free; the first of them may use any, and takes turns with
 * everybody else.
 */
export class Admission {
  readonly #places: number;
  readonly #now: () => number;
  readonly #presence = new Presence();
  readonly #queues: Record<Line, LoadQueue> = {
    heavy: new LoadQueue(),
    interactive: new LoadQueue(),
    critical: new LoadQueue(),
    stranger: new LoadQueue(),
  };

  constructor(places: number, now: () => number = () => performance.now()) {
    this.#places = places;
    this.#now = now;
  }

  get waiting(): number {
    return LOADS.reduce((sum, load) => sum + this.#queues[load].waiting, 0);
  }

  /** True while the tenant's own calls use all places that it may have. */
  isShareUsedUp({ load, tenant }: Pick<Share, "load" | "tenant">): boolean {
    const isAmongOthers =
      typeof tenant === "number" && this.#presence.hasOther(tenant, this.#now());
    const own = (isAmongOthers ? amongOthers : alone)(this.#places);
    return !hasRoom(load, own, (each) => this.#queues[each].runningOf(tenant));
  }

  /**
   * Calls `start` as soon as the call has a place, which may be before this function returns. Refuses a call whose
   * queue is full: `share-used-up` by the tenant's own calls, `full` by everybody's.
   */
  enter(share: Share, start: () => void): Leave | "share-used-up" | "full" {
    const queue = this.#queues[share.load];
    const call: Call = { share, start };
    let isRunning = false;
    call.start = () => {
      isRunning = true;
      queue.count(share.tenant, 1);
      start();
    };
    if (typeof share.tenant === "number") this.#presence.note(share.tenant, this.#now());
    if (!queue.isAnyWaiting(share.tenant) && this.#mayStart(share)) {
      call.start();
    } else {
      const refusal = share.isBounded ? queue.refusalOf(share) : null;
      if (refusal) return refusal;
      queue.add(call);
    }
    return () => {
      queue.remove(call);
      if (!isRunning) return;
      isRunning = false;
      queue.count(share.tenant, -1);
      if (share.load !== "stranger") this.#startStranger();
      this.#startNext();
    };
  }

  /** While no stranger runs, the next place that somebody else leaves is a stranger's: a flood of one account would shut all out. */
  #startStranger(): void {
    const queue = this.#queues.stranger;
    if (queue.running > 0) return;
    const [first] = queue.tenantsInTurn();
    if (first !== undefined && this.#mayStart({ load: "stranger", tenant: first })) {
      queue.takeNext(first)?.start();
    }
  }

  /** Free places go to the most critical load first, and there to the tenants in turn. */
  #startNext(): void {
    for (const load of TURNS) {
      const queue = this.#queues[load];
      let hasStarted: boolean;
      do {
        hasStarted = false;
        for (const tenant of [...queue.tenantsInTurn()]) {
          if (!this.#mayStart({ load, tenant })) continue;
          queue.takeNext(tenant)?.start();
          hasStarted = true;
        }
      } while (hasStarted);
    }
  }

  #mayStart(share: Pick<Share, "load" | "tenant">): boolean {
    const running = (load: Line) => this.#queues[load].running;
    const isFree = hasRoom(share.load, this.#places, running);
    if (share.load === "stranger") return isFree && this.#mayStrangerStart(running("stranger"));
    return isFree && !this.isShareUsedUp(share);
  }

  #mayStrangerStart(strangers: number): boolean {
    if (strangers === 0) return true;
    const all = LOADS.reduce((sum, load) => sum + this.#queues[load].running, 0);
    return strangers < ofStrangers(this.#places) && all < this.#places - LEFT_FREE;
  }
}

/** The share of a caller who has proven nothing: by its address and the wide network of that. */
export function shareOfStranger(address: string): Share {
  return {
    load: "stranger",
    tenant: networkOf(address, 48),
    account: networkOf(address),
    isBounded: true,
  };
}

/** True if one more call of `load` fits into `places`, beside those running. */
function hasRoom(load: Line, places: number, running: (load: Line) => number): boolean {
  let sum = 0;
  return LOADS.every((each) => {
    sum += running(each);
    const counts = LOADS.indexOf(each) >= LOADS.indexOf(load);
    return !counts || sum < placesOf[each](places);
  });
}
