// People of a site in a network of its own, as a process in that network: registers a cabinet, opens a door, reads the log.
// `node visitor.ts ORIGIN ACTION` with ADMIN_PASSWORD and CABINET_SN; prints the result as JSON.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { cabinetModelContract } from "@cabinet/contract/equipment/cabinet-model/cabinet-model.contract.ts";
import { deviceStockContract } from "@cabinet/contract/equipment/device-stock/device-stock.contract.ts";
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { commandContract } from "@cabinet/contract/fleet/command/command.contract.ts";
import { hasResult } from "@cabinet/contract/fleet/command/command.rules.ts";
import { authContract } from "@cabinet/contract/identity/auth/auth.contract.ts";
import { loginLogContract } from "@cabinet/contract/identity/login-log/login-log.contract.ts";
import { secondFactorContract } from "@cabinet/contract/identity/second-factor/second-factor.contract.ts";
import { tenancyContract } from "@cabinet/contract/identity/tenancy/tenancy.contract.ts";
import type { EndpointSpec } from "@cabinet/contract/kit/endpoint.ts";
import { addDays, shanghaiDay } from "@cabinet/contract/kit/shanghai.rules.ts";
import { Secret, TOTP } from "otpauth";
import { solvedCaptcha } from "../../apps/simulator/src/people/captcha.ts";
import { type CallInput, callServer } from "../../apps/simulator/src/people/http.ts";

const LOOK_EVERY_MS = 500;
const WAIT_MS = 90_000;

const SN = process.env.CABINET_SN ?? "";
const [origin = "", action = ""] = process.argv.slice(2);

async function signIn() {
  const { token, tenantId } = await callServer(
    origin,
    authContract.login,
    { body: { username: "admin", password: process.env.ADMIN_PASSWORD ?? "" } },
    await solvedCaptcha(origin),
  );
  const headers = { "auth-token": token, tenantid: String(tenantId), "auth-id": "cupboard" };
  return <Spec extends EndpointSpec>(spec: Spec, input: CallInput<Spec>) =>
    callServer(origin, spec, input, { ...headers, "idempotency-key": randomUUID() });
}
type Request = Awaited<ReturnType<typeof signIn>>;

async function until<Result>(what: string, look: () => Promise<Result | null>): Promise<Result> {
  for (const end = Date.now() + WAIT_MS; Date.now() < end; await sleep(LOOK_EVERY_MS)) {
    const found = await look();
    if (found) return found;
  }
  throw new Error(`no ${what}`);
}

/** The first account sets an authenticator up, grants the platform an exception, and removes it: later actions sign in by password. */
async function passFactor(request: Request): Promise<void> {
  const { secret } = await request(secondFactorContract.beginTotp, {});
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  await request(secondFactorContract.confirmTotp, { body: { code } });
  const until = addDays(shanghaiDay(Date.now()), 7);
  await request(tenancyContract.exemptFromFactor, {
    params: { id: 1 },
    body: { until, reason: "演练" },
  });
  await request(secondFactorContract.removeTotp, {});
}

/** Returns the activation code of a new cabinet of a new tenant. */
async function register(request: Request): Promise<string> {
  await passFactor(request);
  const cells = [
    { no: 1, size: "S", column: 1, row: 1, rowSpan: 1, boardAddress: "01-01" },
  ] as const;
  const model = await request(cabinetModelContract.create, {
    body: {
      ...{ name: "单格柜", side: "SINGLE", vendor: "", capabilities: [], remark: "" },
      ...{ heartbeatSeconds: 10, offlineSeconds: 60 },
      layout: { columns: 1, rows: 1, cells: [...cells] },
    },
  });
  const account = { username: "compose-1", displayName: "甲", phone: "", password: randomUUID() };
  const tenant = await request(tenancyContract.create, { body: { name: "甲租户", account } });
  const added = await request(deviceStockContract.add, { body: { sn: SN, modelId: model.id } });
  const { list } = await request(deviceStockContract.list, { query: { keyword: SN } });
  const stockIds = list.map(({ id }) => id);
  await request(deviceStockContract.assign, { body: { stockIds, tenantId: tenant.id } });
  return added.activationCode;
}

/** Waits until the cabinet is 在线 and opens its door. */
async function open(request: Request) {
  const { id } = await until("cabinet online", async () => {
    const { list } = await request(cabinetContract.list, { query: { keyword: SN } });
    return list.find(({ connectivity }) => connectivity === "ONLINE") ?? null;
  });
  const body = { no: 1, reason: "演练" };
  const command = await request(commandContract.open, { params: { id }, body });
  return until("end of the command", async () => {
    const { state } = await request(commandContract.get, { params: { id: command.id } });
    return hasResult(state) ? { id: command.id, state } : null;
  });
}

const actions: Record<string, (request: Request) => Promise<unknown>> = {
  register,
  open,
  commands: (request) => request(commandContract.list, { query: {} }),
  signIns: (request) => request(loginLogContract.list, { query: {} }),
};

console.log(JSON.stringify(await actions[action]?.(await signIn())));
