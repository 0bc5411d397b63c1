// People who open doors during a drill; each request is repeated under its key until it is answered.
import { randomUUID } from "node:crypto";
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { type Command, commandContract } from "@cabinet/contract/fleet/command/command.contract.ts";
import { hasResult } from "@cabinet/contract/fleet/command/command.rules.ts";
import { type EndpointSpec, urlPath } from "@cabinet/contract/kit/endpoint.ts";
import { expect } from "vitest";
import type { FleetCabinet } from "../device/device-fleet.ts";
import { until } from "../device/device-fleet.ts";
import { withClient } from "../support/postgres.ts";
import type { Site } from "./site.ts";

const PEOPLE = 4;
const PAUSE_MS = 250;
const RETRY_MS = 500;
/** Clients give up after ten seconds (promise O3). */
const ANSWER_MS = 10_000;
/** Far beyond the goal, because other tests use the machine; `npm run drill` asserts the goal. */
const HEALED_MS = 120_000;
/** Doors that people open; the next one shows whether the cabinet works. */
const DOORS = 2;
const REASON = "演练";

interface Answer {
  status: number;
  retryAfter: string | null;
  code: number;
  errMsg: string;
  data: Command;
}

/** One call to the API process; null when there was no answer. */
async function call(
  site: Pick<Site, "origin" | "person">,
  spec: EndpointSpec,
  id: number | string,
  body?: object,
  key: string = randomUUID(),
): Promise<Answer | null> {
  try {
    const reply = await fetch(new URL(urlPath(spec).replace("{id}", String(id)), site.origin), {
      method: spec.method,
      headers: {
        "auth-token": site.person.token,
        tenantid: String(site.person.tenantId),
        "auth-id": "cupboard",
        ...(body && { "content-type": "application/json", "idempotency-key": key }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    const { code, errMsg, data } = (await reply.json()) as Answer;
    const retryAfter = reply.headers.get("retry-after");
    return { status: reply.status, retryAfter, code, errMsg, data };
  } catch {
    return null;
  }
}

export function openDoor(
  site: Pick<Site, "origin" | "person">,
  cabinet: FleetCabinet,
  { no, reason, key }: { no: number; reason: string; key?: string },
) {
  return call(site, commandContract.open, cabinet.id, { no, reason }, key);
}

/** Outcome of a drill for the people who opened doors. */
export interface Figures {
  /** Answered with a command. */
  accepted: number;
  /** Refused for a reason that the person sees, as 设备不在线. */
  refused: number;
  /** 503 with Retry-After; repeated. */
  unavailable: number;
  /** No answer at all; repeated. */
  silent: number;
  /** Longest time from a request until it was accepted or refused, repetitions included. */
  slowestMs: number;
}

export class Load {
  readonly figures: Figures = { accepted: 0, refused: 0, unavailable: 0, silent: 0, slowestMs: 0 };
  readonly #site: Site;
  /** By the database, which has this machine's clock. */
  readonly #since = new Date();
  readonly #accepted: string[] = [];
  readonly #people: Promise<void>[];
  #isOver = false;

  constructor(site: Site) {
    this.#site = site;
    this.#people = Array.from({ length: PEOPLE }, (_, at) => this.#operate(at));
  }

  async #operate(person: number): Promise<void> {
    const { cabinets } = this.#site;
    for (let turn = person; !this.#isOver; turn += PEOPLE) {
      const { cabinet } = cabinets[turn % cabinets.length] ?? {};
      if (cabinet) await this.#open(cabinet, 1 + (Math.floor(turn / cabinets.length) % DOORS));
      await sleep(PAUSE_MS);
    }
  }

  async #open(cabinet: FleetCabinet, no: number): Promise<void> {
    const key = randomUUID();
    const began = performance.now();
    for (;;) {
      const answer = await openDoor(this.#site, cabinet, { no, reason: REASON, key });
      if (answer === null) this.figures.silent++;
      else if (answer.status === 503) {
        expect(answer).toMatchObject({ code: 1, retryAfter: expect.stringMatching(/^\d+$/) });
        this.figures.unavailable++;
      } else {
        expect(answer.status, answer.errMsg).toBeLessThan(500);
        if (answer.code === 0) this.#accepted.push(answer.data.id);
        this.figures[answer.code === 0 ? "accepted" : "refused"]++;
        this.figures.slowestMs = Math.max(this.figures.slowestMs, performance.now() - began);
        return;
      }
      await sleep(RETRY_MS);
    }
  }

  /** Ends the load and expects that each accepted request is one command, and each command one opening at most. */
  async stop(): Promise<Figures> {
    this.#isOver = true;
    await Promise.all(this.#people);
    const accepted = new Set(this.#accepted);
    const commands = await until("every command's end", () =>
      withClient(this.#site.databaseUrl(), async (client) => {
        const { rows } = await client.query(
          "select id, state from command where reason = $1 and created_at > $2",
          [REASON, this.#since],
        );
        return rows.every(({ state }) => hasResult(state)) && rows;
      }),
    );
    const pulses = this.#site.cabinets.flatMap(({ machine }) => machine.hardware.pulses);
    const openings = Map.groupBy(pulses, ({ cmdId }) => cmdId);
    expect(accepted.size).toBe(this.#accepted.length);
    const lost = [...accepted].filter((id) => !commands.some((command) => command.id === id));
    const extra = commands.filter(({ id }) => !accepted.has(id));
    expect({ lost, extra }).toEqual({ lost: [], extra: [] });
    for (const { id, state } of commands) {
      const times = openings.get(id)?.length ?? 0;
      expect(times, `openings of ${id}, ${state}`).toBeLessThanOrEqual(1);
      if (state === "CONFIRMED") expect(times, id).toBe(1);
      if (["REJECTED", "EXPIRED", "FAILED"].includes(state)) expect(times, id).toBe(0);
    }
    expect(this.figures.accepted).toBeGreaterThan(0);
    return this.figures;
  }
}

/** Waits until every cabinet is shown 在线 and has opened a door; returns the seconds that it took. */
export async function untilAllOpen(site: Site): Promise<number> {
  const began = performance.now();
  await Promise.all(
    site.cabinets.map(async ({ cabinet }) => {
      let last: unknown = null;
      const attempt = async () => {
        const shown = await call(site, cabinetContract.get, cabinet.id);
        const { connectivity } = (shown?.data ?? {}) as { connectivity?: string };
        last = connectivity;
        if (connectivity !== "ONLINE") return sleep(PAUSE_MS).then(() => false);
        const opened = await openDoor(site, cabinet, { no: DOORS + 1, reason: "之后" });
        last = opened?.errMsg;
        if (opened?.code !== 0) return sleep(PAUSE_MS).then(() => false);
        return until(
          "its end",
          async () => {
            // Without it, forty loops of one account would measure the account's share of the server.
            await sleep(PAUSE_MS);
            const { state } = (await call(site, commandContract.get, opened.data.id))?.data ?? {};
            last = state;
            return state && hasResult(state) && { isOpen: state === "CONFIRMED" };
          },
          ANSWER_MS * 3,
        ).then(({ isOpen }) => isOpen);
      };
      await until(`an opening of ${cabinet.sn}`, attempt, HEALED_MS).catch((error: Error) => {
        throw new Error(`${error.message}, last seen: ${last}`);
      });
    }),
  );
  return (performance.now() - began) / 1000;
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
