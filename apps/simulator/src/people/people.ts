// Simulated users: each belongs to one tenant, deposits periodically for others to pick up.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { appOrderContract } from "@cabinet/contract/orders/app/app-order.contract.ts";
import type { PeopleRequest } from "../options.ts";
import { seededRandom } from "../world.ts";
import { Desk } from "./desk.ts";
import { callServer, Refused } from "./http.ts";
import { Person } from "./person.ts";

export interface PeopleOptions extends PeopleRequest {
  log(line: string): void;
  readonly signal: AbortSignal;
}

/** One in this many deposits is taken back by its rider. */
const TAKE_BACK_EVERY = 10;
const FIRST_PHONE = 19_900_000_000;

/** Runs until `signal` ends it. */
export async function runPeople(options: PeopleOptions): Promise<void> {
  const { server, signal, log, paceMs } = options;
  const random = seededRandom(options.seed);
  await mkdir(options.folder, { recursive: true });
  const file = path.join(options.folder, "people.json");
  const sessions: Record<string, string> = await readFile(file, "utf8").then(
    JSON.parse,
    () => ({}),
  );
  const towns = await findTowns(options);
  const people = Array.from({ length: options.count }, (_, nth) => {
    const town = towns[nth % towns.length] as Town;
    const phone = String(FIRST_PHONE + nth);
    const fleet = { server, tenantId: town.tenantId, desk: town.desk, random, log, signal };
    const key = `${town.tenantId}/${phone}`;
    return { person: new Person(phone, fleet, sessions[key]), town, key };
  });
  const keep = () => {
    for (const { person, key } of people) if (person.token) sessions[key] = person.token;
    return writeFile(file, JSON.stringify(sessions), { mode: 0o600 });
  };

  async function live({ person, town }: (typeof people)[number]): Promise<void> {
    const neighbours = people.filter((other) => other.town === town).map((other) => other.person);
    for (;;) {
      await sleep(paceMs * (0.5 + random()), undefined, { signal });
      const recipient = neighbours[Math.floor(random() * neighbours.length)] ?? person;
      const sn = town.sns[Math.floor(random() * town.sns.length)] ?? "";
      try {
        await visit(person, recipient, sn);
        await keep();
      } catch (error) {
        if (signal.aborted) return;
        log(error instanceof Refused ? `未成功：${error.message}` : `出错：${String(error)}`);
      }
    }
  }

  async function visit(rider: Person, recipient: Person, sn: string): Promise<void> {
    const cabinet = await callServer(server, appOrderContract.cabinet, { params: { sn } });
    if (cabinet.refusal !== null) return;
    const order = await rider.deposit(cabinet, recipient);
    if (!order) return;
    await sleep(paceMs * random(), undefined, { signal });
    if (Math.floor(random() * TAKE_BACK_EVERY) === 0) await rider.takeBack(order);
    else await recipient.pickUp(order);
  }

  const ended = (error: unknown) => {
    if (!signal.aborted) throw error;
  };
  await Promise.all(people.map((one) => live(one).catch(ended)));
  await keep();
}

interface Town {
  tenantId: number;
  sns: string[];
  desk: Desk;
}

/** Tenants that have both listed cabinets and an operator account. */
async function findTowns({ server, sns, accounts }: PeopleOptions): Promise<Town[]> {
  const towns = new Map<number, Town>();
  for (const sn of sns) {
    const cabinet = await callServer(server, appOrderContract.cabinet, { params: { sn } }).catch(
      (error: unknown) => {
        if (error instanceof Refused) return null;
        throw error;
      },
    );
    const account = accounts.find(
      (known) => known.tenantId === cabinet?.tenantId && known.userType === 1,
    );
    if (!cabinet || !account) continue;
    const { tenantId } = cabinet;
    const town = towns.get(tenantId) ?? { tenantId, sns: [], desk: new Desk(server, account) };
    town.sns.push(sn);
    towns.set(tenantId, town);
  }
  if (towns.size === 0) throw new Error("凭据文件里的柜机都不属于演示账号的租户");
  return [...towns.values()];
}
