// Each call of the contract, flooded by one tenant, leaves another tenant's lists and doors as they were.
import { type ChildProcess, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { contracts } from "@cabinet/contract/contracts.ts";
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { commandContract } from "@cabinet/contract/fleet/command/command.contract.ts";
import { type EndpointSpec, urlPath } from "@cabinet/contract/kit/endpoint.ts";
import { authorize, newNonce } from "@cabinet/open-api-client";
import { expect, it } from "vitest";
import { percentile } from "../../bench/figures.ts";
import { openLoad } from "../../bench/open-load.ts";
import type { CallName, CallRow } from "../support/call-row.ts";
import { callRows } from "../support/call-rows.ts";
import type { CallFlood, PreparedRequest } from "../support/flood-process.ts";
import { insertMiniProgramSetting, MiniProgramStandIn } from "../support/mini-programs.ts";
import { openCallerOf } from "../support/open-apps.ts";
import { makeWorld } from "../support/tenant-world.ts";
import {
  bodyOf,
  credentialsOf,
  formOf,
  openTestServer,
  useOpened,
} from "../support/test-server.ts";

const CONNECTIONS = 32;
const SECONDS = 2;
/** Requests of one flood, each with a key or signature of its own. */
const REQUESTS = 60;
/** Calls between two measurements of the idle server. */
const IDLE_EVERY = 25;
const MOST_RATIO = 2;
const MOST_MORE_MS = 50;
const HOST = "cabinet.example.cn";
const ONLY = process.env.CALLS;

const testServer = useOpened(async () => {
  const wechat = await new MiniProgramStandIn().open();
  const opened = await openTestServer({ wechatUrl: wechat.origin, trustedProxies: ["127.0.0.1"] });
  const close = async () => {
    await opened.close();
    await wechat.close();
  };
  return { ...opened, close };
});

const calls = Object.entries(contracts)
  .flatMap(([noun, contract]) =>
    Object.entries(contract as Record<string, EndpointSpec>).map(
      ([call, spec]) => [`${noun}.${call}` as CallName, spec] as const,
    ),
  )
  .filter(([name]) => !ONLY || ONLY.split(",").includes(name));

async function makePlace() {
  const { id, people } = await testServer.makeTenant();
  await insertMiniProgramSetting(testServer, id);
  const { ids } = await makeWorld(testServer, id, people[2]);
  return { ids, people, app: await openCallerOf(testServer, ids) };
}
type Place = Awaited<ReturnType<typeof makePlace>>;

/** Requests of the flooding tenant, from people who have just signed in: some calls end sessions. */
async function prepare(name: CallName, spec: EndpointSpec, { ids, app }: Place) {
  const row: CallRow = callRows[name];
  const { people } = await testServer.makeTenant(ids.tenantId);
  const rider =
    spec.access === "end-user" && (await testServer.makeAppPerson(ids.tenantId, ids.endUserId));
  const as = credentialsOf(rider || people[1]);
  const requests: PreparedRequest[] = [];
  for (let count = 0; count < REQUESTS; count++) {
    const input = row.input(ids);
    const params = input.params as Record<string, unknown> | undefined;
    const url = urlPath(spec).replace(/\{(\w+)\}/g, (_, key: string) =>
      encodeURIComponent(String(params?.[key])),
    );
    const target = input.query ? `${url}?${formOf(input.query)}` : url;
    const { type = "", body = "" } = await bodyOf(spec, input);
    const idempotencyKey = randomUUID();
    const claim = {
      app: app.code,
      kid: app.kid,
      ts: Math.floor(Date.now() / 1000),
      nonce: newNonce(),
    };
    const signed = {
      ...{ method: spec.method, host: HOST, target },
      contentType: type,
      idempotencyKey,
      body,
    };
    requests.push({
      ...{ method: spec.method, path: target },
      headers: {
        host: HOST,
        "x-forwarded-for": "203.0.113.7",
        ...(spec.access === "partner"
          ? { authorization: authorize(signed, claim, app.secret) }
          : as),
        ...(type && { "content-type": type }),
        "idempotency-key": idempotencyKey,
        ...input.headers,
      },
      body: body.length > 0 ? body : null,
    });
  }
  return requests;
}

interface Latencies {
  listMs: number;
  doorMs: number;
  refused: string[];
}

async function probe(origin: string, { ids, people }: Place): Promise<Latencies> {
  const headers = { ...credentialsOf(people[1]), host: HOST, "x-forwarded-for": "198.51.100.9" };
  const common = { origins: [origin], headers, seconds: SECONDS };
  const [list, door] = await Promise.all([
    openLoad({
      ...common,
      perSecond: 20,
      requests: [{ method: "GET", path: `${urlPath(cabinetContract.list)}?page=1&pageSize=20` }],
    }),
    openLoad({
      ...{ ...common, perSecond: 10 },
      requests: [
        {
          method: "POST",
          path: urlPath(commandContract.open).replace("{id}", String(ids.cabinetId)),
          body: { no: 1, reason: "核对物品" },
        },
      ],
    }),
  ]);
  const refused = [list, door].flatMap(({ failures }) =>
    Object.keys(failures).filter((failure) => !failure.startsWith("200 ")),
  );
  return { listMs: percentile(list.took, 0.95), doorMs: percentile(door.took, 0.95), refused };
}

function openFlooder(): ChildProcess {
  return fork(path.join(import.meta.dirname, "../support/flood-process.ts"), {
    serialization: "advanced",
  });
}

it(
  `flood: ${calls.length} calls, one after another`,
  async () => {
    await testServer.app.listen({ host: "127.0.0.1", port: 0 });
    const origin = `http://127.0.0.1:${(testServer.app.server.address() as AddressInfo).port}`;
    await testServer.makeTenant(1);
    const [flooder, neighbour] = [await makePlace(), await makePlace()];
    const child = openFlooder();
    await once(child, "message");
    const flood = async (requests: PreparedRequest[]) => {
      const asked: CallFlood = { origin, connections: CONNECTIONS, seconds: SECONDS, requests };
      child.send(asked);
      const [statuses] = (await once(child, "message")) as [Record<number, number>];
      return statuses;
    };
    // The first one warms the server up.
    await probe(origin, neighbour);
    let idle = await probe(origin, neighbour);
    const breaches: string[] = [];
    for (const [index, [name, spec]] of calls.entries()) {
      if (index % IDLE_EVERY === 0) idle = await probe(origin, neighbour);
      const judge = async () => {
        const requests = await prepare(name, spec, flooder);
        const [loaded, statuses] = await Promise.all([probe(origin, neighbour), flood(requests)]);
        const isSlow = (["listMs", "doorMs"] as const).some(
          (kind) => loaded[kind] > idle[kind] * MOST_RATIO + MOST_MORE_MS,
        );
        const shown = `${name}: list ${idle.listMs.toFixed(0)} → ${loaded.listMs.toFixed(0)} ms, door ${idle.doorMs.toFixed(0)} → ${loaded.doorMs.toFixed(0)} ms, ${JSON.stringify(statuses)} ${loaded.refused.join("; ")}`;
        process.stdout.write(`${shown}\n`);
        return isSlow || loaded.refused.length > 0 ? shown : null;
      };
      // A busy machine is slow once; a call that starves others is slow again.
      if (await judge()) {
        idle = await probe(origin, neighbour);
        const breach = await judge();
        if (breach) breaches.push(breach);
      }
    }
    child.disconnect();
    expect(breaches).toEqual([]);
  },
  120_000 + calls.length * 20_000,
);
