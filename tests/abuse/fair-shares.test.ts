// Attacks of one tenant on the others' share of the server, over real connections (promises N1, O3).
import http from "node:http";
import { commandContract } from "@cabinet/contract/fleet/command/command.contract.ts";
import { type EndpointSpec, urlPath } from "@cabinet/contract/kit/endpoint.ts";
import { faqContract } from "@cabinet/contract/messaging/faq/faq.contract.ts";
import { statisticsContract } from "@cabinet/contract/operations/statistics/statistics.contract.ts";
import { storeContract } from "@cabinet/contract/organization/store/store.contract.ts";
import { beforeAll, expect, test } from "vitest";
import { refusals } from "../../apps/server/src/platform/metrics.ts";
import { makeCabinet } from "../support/cabinets.ts";
import { withClient } from "../support/postgres.ts";
import { type Person, useTestServer } from "../support/test-server.ts";

const FLOOD = 800;
const testServer = useTestServer();
let origin: string;
let flooder: Person;
let neighbour: Person;
let cabinetId: number;
beforeAll(async () => {
  origin = await testServer.app.listen({ port: 0, host: "127.0.0.1" });
  const [greedy, other] = [await testServer.makeTenant(), await testServer.makeTenant()];
  flooder = greedy.people[1];
  neighbour = other.people[1];
  cabinetId = (await makeCabinet(testServer, { tenantId: other.id })).id;
});

const period = { from: "2026-05-01", to: "2026-05-31" };
const sizes = { spec: statisticsContract.sizes, query: new URLSearchParams(period).toString() };
const firstPage = "page=1&pageSize=10";
const questions = { spec: faqContract.list, query: firstPage };

interface Asked {
  spec: EndpointSpec;
  query?: string;
  body?: string;
  type?: string;
}

interface Answer {
  status: number;
  retryAfter: string | undefined;
  envelope: { code: number; errMsg: string };
}

/** Sends the request on a connection of its own. */
function ask(
  as: Person,
  { spec, query, body, type = "application/json" }: Asked,
  signal?: AbortSignal,
) {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const request = http.request(
    `${origin}${urlPath(spec).replace("{id}", String(cabinetId))}${query ? `?${query}` : ""}`,
    {
      method: spec.method,
      agent: false,
      headers: {
        ...{ "auth-token": as.token, tenantid: String(as.tenantId), "auth-id": "cupboard" },
        ...(body && { "content-type": type }),
      },
      ...(signal && { signal }),
    },
    async (response) => {
      const text = Buffer.concat(await response.toArray()).toString();
      resolve({
        status: response.statusCode ?? 0,
        retryAfter: response.headers["retry-after"],
        envelope: JSON.parse(text),
      });
    },
  );
  request.on("error", reject);
  request.end(body);
  return promise;
}

/** Holds the tables, so that every call that reads them waits, until `work` is done. */
function withLocked<Result>(tables: string, work: () => Promise<Result>): Promise<Result> {
  return withClient(testServer.url, async (owner) => {
    await owner.query(`begin; lock table ${tables} in access exclusive mode`);
    return work().finally(() => owner.query("rollback"));
  });
}

async function callersGone(): Promise<number> {
  const { values } = await refusals.get();
  return values.find(({ labels }) => labels.code === "CALLER_GONE")?.value ?? 0;
}

test("N1: while a tenant's flood waits, the others' lists and doors are answered, and its excess gets 429", async () => {
  const flood = await withLocked("occupancy_hour, faq", async () => {
    let answered = 0;
    const calls = Array.from({ length: FLOOD }, (_, at) =>
      ask(flooder, at % 2 ? sizes : questions).then((answer) => {
        if (answer.status === 200) answered++;
        return answer;
      }),
    );
    const door = {
      spec: commandContract.open,
      body: JSON.stringify({ no: 1, reason: "取出物品" }),
    };
    for (let round = 0; round < 5; round++) {
      const list = await ask(neighbour, { spec: storeContract.list, query: firstPage });
      expect(list.envelope).toMatchObject({ code: 0 });
      // The cabinet is offline, which only the database knows.
      expect((await ask(neighbour, door)).status).toBe(200);
    }
    expect(answered).toBe(0);
    return calls;
  });
  const answers = await Promise.all(flood);
  // Calls that had a place fail by the lock's own timeout when the rounds take longer on a busy machine.
  const refused = answers.filter(({ status }) => status !== 200 && status !== 503);
  expect(refused.length).toBeGreaterThan(FLOOD / 4);
  expect(refused.length).toBeLessThan(FLOOD);
  for (const { status, retryAfter, envelope } of refused) {
    expect({ status, retryAfter }).toEqual({ status: 429, retryAfter: "1" });
    expect(envelope).toMatchObject({ code: 1, errMsg: "操作太频繁，请 1 秒后再试" });
  }
});

const form = {
  spec: statisticsContract.singleTendency,
  body: sizes.query,
  type: "application/x-www-form-urlencoded",
};

test.each([
  ["without a body", sizes, "occupancy_hour"],
  ["with a body", form, "order_day"],
] as const)(
  "O3: a read %s whose client goes is cancelled; one whose client stays is answered",
  async (_, asked, tables) => {
    const before = await callersGone();
    const { stayed } = await withLocked(tables, async () => {
      const leaving = new AbortController();
      const left = ask(flooder, asked, leaving.signal).catch(() => "left");
      const stayed = ask(flooder, asked);
      expect(await callersGone()).toBe(before);
      setTimeout(() => leaving.abort(), 100);
      expect(await left).toBe("left");
      await expect.poll(callersGone).toBe(before + 1);
      return { stayed };
    });
    expect((await stayed).envelope).toMatchObject({ code: 0 });
  },
);
