// Measures a tenant's calls while callers without an account, or costly work of another tenant, flood the server.
import { advertContract } from "@cabinet/contract/fleet/advert/advert.contract.ts";
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { authContract } from "@cabinet/contract/identity/auth/auth.contract.ts";
import { urlPath } from "@cabinet/contract/kit/endpoint.ts";
import { appOrderContract } from "@cabinet/contract/orders/app/app-order.contract.ts";
import sharp from "sharp";
import type { BenchServer } from "./bench-server.ts";
import {
  type Caller,
  MOST_MORE_MS,
  MOST_RATIO,
  refusedOf,
  requestsOf,
  signInTenants,
} from "./fairness.bench.ts";
import { type Figure, percentile } from "./figures.ts";
import { type Flood, flood } from "./flood.ts";
import { openLoad } from "./open-load.ts";

const SECONDS = 20;
/** An invented token: 43 letters that no installation issued. */
const INVENTED = "a".repeat(43);
const MOST_READY_MS = 200;
const UPLOADS = 24;

/** Calls of the other tenant that are measured: requests a second, and the percentile that counts. */
const probes = {
  list: { title: "列表", perSecond: 10, share: 0.95 },
  door: { title: "开门", perSecond: 4, share: 0.99 },
  ready: { title: "/readyz", perSecond: 4, share: 0.95 },
} as const;
type Probe = keyof typeof probes;
const probeNames = Object.keys(probes) as Probe[];

interface Attack {
  title: string;
  /** Answers a second. */
  run(origin: string): Promise<number>;
}

export async function benchStrangers(benchServer: BenchServer): Promise<Figure[]> {
  const [flooder, neighbour] = await signInTenants(benchServer);
  const { origin } = benchServer.server;
  const figures: Figure[] = [];
  // The first one warms the server up.
  await measure(origin, neighbour);
  const idle = await measure(origin, neighbour);
  for (const { title: attack, run } of attacksOf(flooder)) {
    const [loaded, answers] = await Promise.all([measure(origin, neighbour), run(origin)]);
    const part = `${attack}，${SECONDS} 秒；另一个租户照常使用`;
    for (const name of probeNames) {
      const { title, share } = probes[name];
      const before = percentile(idle[name].took, share);
      const atMost = name === "ready" ? MOST_READY_MS : before * MOST_RATIO + MOST_MORE_MS;
      figures.push(
        { part, name: `${title}（p${share * 100}），空闲时`, value: before, unit: "毫秒" },
        {
          ...{ part, name: `${title}（p${share * 100}）`, unit: "毫秒" },
          ...{ value: percentile(loaded[name].took, share), goal: { atMost } },
        },
      );
    }
    const refused = probeNames.reduce((sum, name) => sum + refusedOf(loaded[name]), 0);
    figures.push(
      {
        part,
        name: "另一个租户收到的 5xx 和 429",
        value: refused,
        unit: "次",
        goal: { atMost: 0 },
      },
      { part, name: "攻击者得到的回答", value: answers, unit: "次/秒" },
    );
  }
  return figures;
}

function attacksOf(flooder: Caller): Attack[] {
  const attack = (
    title: string,
    { path, ...call }: Omit<Flood, "url" | "seconds"> & { path: string },
  ) => ({
    title: `一个地址用 ${call.connections} 个连接${title}`,
    run: async (origin: string) =>
      (await flood({ ...call, url: `${origin}${path}`, seconds: SECONDS })).answers,
  });
  return [
    attack("带编造的令牌请求列表", {
      ...{ connections: 300, method: "GET", path: urlPath(cabinetContract.list) },
      headers: { "auth-token": INVENTED },
    }),
    attack("猜取件码", {
      ...{ connections: 48, method: "POST", path: urlPath(appOrderContract.pickupByCode) },
      headers: { "content-type": "application/json" },
      body: { sn: "NOBODY0001", code: "000000", phoneTail: "0000", agreedFen: 0 },
    }),
    attack("登录，人机验证是编造的", {
      ...{ connections: 100, method: "POST", path: urlPath(authContract.login) },
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        "captcha-verification": "e30=",
      },
      body: { username: "nobody", password: "nobody" },
    }),
    attack("下载接口文档", {
      ...{ connections: 30, method: "GET", path: "/api/openapi.json", headers: {} },
    }),
    {
      title: `一个租户用 ${UPLOADS} 个连接上传 2,500 万像素的图片`,
      run: (origin) => uploadPictures(origin, flooder),
    },
  ];
}

/** Uploads of one colour: some 350 KB, and half a second of a processor each. */
async function uploadPictures(origin: string, { headers }: Caller): Promise<number> {
  const background = { r: 40, g: 90, b: 160 };
  const png = await sharp({ create: { width: 5_000, height: 4_999, channels: 3, background } })
    .png()
    .toBuffer();
  const until = performance.now() + SECONDS * 1_000;
  let answers = 0;
  const upload = async () => {
    while (performance.now() < until) {
      const body = new FormData();
      body.append("file", new Blob([png as Uint8Array<ArrayBuffer>]), "a.png");
      const url = `${origin}${urlPath(advertContract.upload)}`;
      await (await fetch(url, { method: "POST", headers, body })).arrayBuffer();
      answers++;
    }
  };
  await Promise.all(Array.from({ length: UPLOADS }, upload));
  return answers / SECONDS;
}

async function measure(origin: string, caller: Caller) {
  const results = await Promise.all(
    probeNames.map((name) =>
      openLoad({
        origins: [origin],
        headers: caller.headers,
        perSecond: probes[name].perSecond,
        seconds: SECONDS,
        requests:
          name === "ready" ? [{ method: "GET", path: "/readyz" }] : requestsOf(name, caller),
      }),
    ),
  );
  return Object.fromEntries(probeNames.map((name, at) => [name, results[at]])) as Record<
    Probe,
    Awaited<ReturnType<typeof openLoad>>
  >;
}
