// Goods in a storm: presses by console, app, open API and code while browsers, networks, power, gateways and cards fail.
import type { ChildProcess } from "node:child_process";
import { appOrderContract } from "@cabinet/contract/orders/app/app-order.contract.ts";
import { hasGoods, isLive, type OpenPurpose } from "@cabinet/contract/orders/order/order.rules.ts";
import { orderActionContract } from "@cabinet/contract/orders/order/order-action.contract.ts";
import { openApiContract } from "@cabinet/contract/partners/open-api/open-api.contract.ts";
import type { OrderState } from "@cabinet/contract/vocabulary/order.rules.ts";
import { beforeAll, expect, it } from "vitest";
import { orderJobs } from "../../apps/server/src/features/orders/order/index.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import { createLog } from "../../apps/server/src/platform/log.ts";
import { NO_FAULTS } from "../../apps/simulator/src/faults.ts";
import type { Machine } from "../../apps/simulator/src/machine.ts";
import { seededRandom } from "../../apps/simulator/src/world.ts";
import { callOpen, makeOpenApp, type OpenCaller } from "../support/open-apps.ts";
import type { AppPerson, CallInput, Person } from "../support/test-server.ts";
import { until, useDeviceFleet } from "./device-fleet.ts";
import {
  type Box,
  Bystanders,
  Client,
  FAULTS,
  type Fault,
  Presses,
  patiently,
} from "./goods-storm.ts";

const INTENTS = Number(process.env.GOODS_INTENTS ?? 60);
/** Ends the storm before that number, on a machine that is busy with other work. */
const MINUTES = Number(process.env.GOODS_MINUTES ?? Infinity);
const SEED = Number(process.env.SEED ?? Date.now() % 1_000_000);
/** Faults of cabinets that happen. `npm run torture` adds copies of a card: until one is named, its reports count. */
const KINDS = new RegExp(process.env.GOODS_FAULTS ?? "silence|jam|cut|forced");
const CABINETS = 8;
const DOORS = 8;
const PEOPLE = 16;
const AT_ONCE = 5;
/** A fault shows for this long after it ended: silence, an offline threshold, a take-over. */
const AFTERMATH_MS = 45_000;
const ONE_HOUR_MS = 3_600_000;

const devices = useDeviceFleet();
let tenantId: number;
let operator: Person;
let partner: OpenCaller;
let people: AppPerson[];

beforeAll(async () => {
  const tenant = await devices.testServer.makeTenant();
  tenantId = tenant.id;
  operator = tenant.people[0];
  partner = await makeOpenApp(devices.testServer, { tenantId, isSettling: true });
  people = await Promise.all(
    Array.from({ length: PEOPLE }, () => devices.testServer.makeAppPerson(tenantId)),
  );
});

interface Order {
  id: number;
  state: OrderState;
  cabinetId: number;
  no: number;
  riderId: number | null;
  recipientId: number;
  isPartners: boolean;
}

/** An intent: what is called, once somebody has pressed. */
type Intent = (headers: Record<string, string>) => Promise<{
  errMsg?: string;
  errCode?: string;
  data: unknown;
}>;

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const read = <Row>(query: ReturnType<typeof sql>) =>
  patiently(() => devices.testServer.database.read("platform", (db) => db.many<Row>(query)));

const findOrders = () =>
  read<Order>(sql`
    select ord.id, ord.state, ord.cabinet_id, ord.compartment_no as no, ord.rider_id,
      ord.recipient_id, ord.app_id is not null as is_partners
    from storage_order ord where ord.tenant_id = ${tenantId} order by ord.id`);

async function codeOf({ id }: Order): Promise<string> {
  const [sms] = await read<{ phone: string; text: Buffer }>(sql`
    select phone, sealed_text as text from sms_message
    where order_id = ${id} and scene = 'PICKUP_CODE' order by id desc limit 1`);
  const text = sms ? devices.vault.open(sms.text, `sms:${tenantId}:${sms.phone}`) : "";
  return text.match(/取件码 (\d{6})/)?.[1] ?? "000000";
}

/** Runs the jobs that follow orders, as the worker does each minute. */
async function follow(): Promise<void> {
  const tools = { database: devices.testServer.database, log: createLog("silent") };
  for (const task of ["order.followDoors", "order.giveUp"]) {
    await patiently(async () => orderJobs.tasks[task]?.({}, tools));
  }
}

/** Moves the minute in which a lock may still open into the past, so that the next snapshot settles the opening. */
const passMinute = () =>
  patiently(() =>
    devices.testServer.database.transaction({ tenantId }, async (db) => {
      await db.run(sql`
      update command set acked_at = acked_at - interval '1 minute',
        expires_at = expires_at - interval '1 minute' where state = 'NOT_CONFIRMED'`);
      await db.run(sql`update cabinet set resync_due_at = least(resync_due_at, now())`);
    }),
  );

interface Unsettled {
  id: string;
  orderState: OrderState | null;
  orderId: number | null;
}

/** Commands without a result, and doubts at cabinets whose sensors can end them. */
const findUnsettled = () =>
  read<Unsettled>(sql`
    select cabinet.sn, command.id, command.state, live_order.order_id, live_order.doubt_id,
      storage_order.state as order_state, cabinet.resync_due_at, cabinet.snapshot_asked_at,
      command.acked_at, command.expires_at, now() as now,
      compartment.item, compartment.door_front, compartment.door_back
    from command
    join cabinet on cabinet.id = command.cabinet_id
    join cabinet_model model on model.id = cabinet.model_id
    left join live_order on live_order.doubt_id = command.id
    left join storage_order on storage_order.id = live_order.order_id
    left join compartment
      on compartment.cabinet_id = cabinet.id and compartment.no = command.compartment_no
    where command.tenant_id = ${tenantId} and (command.state in ('QUEUED', 'SENT', 'ACKED')
      or live_order.doubt_id is not null and 'ITEM_SENSOR' = any(model.capabilities))`);

it(
  `goods are not given away, and no door opens late (SEED=${SEED})`,
  async () => {
    const random = seededRandom(SEED);
    const pick = <Thing>(things: readonly Thing[]) =>
      things[Math.floor(random() * things.length)] as Thing;
    const presses = new Presses();
    const bystanders = new Bystanders(devices, random);
    const exact = new Client(0);
    const wrong = [new Client(ONE_HOUR_MS), new Client(-ONE_HOUR_MS)];
    let isStorm = true;
    let gateway: ChildProcess = await devices.forkGateway();
    let isFrozen = false;

    const boxes: Box[] = [];
    const clones: Machine[] = [];
    for (let at = 0; at < CABINETS; at++) {
      const hasItemSensors = at % 4 !== 3;
      const side = at % 2 === 0 ? ("SINGLE" as const) : ("DOUBLE" as const);
      const cabinet = await patiently(() =>
        devices.addCabinet({ tenantId, side, doors: DOORS, hasItemSensors }),
      );
      const troubles: Box["troubles"] = new Map();
      const isIn = (fault: Fault) => isStorm && (troubles.get(fault) ?? 0) > performance.now();
      const machine = await devices.switchOn(cabinet, {
        ...{ seed: SEED + at, hasItemSensors },
        onSent: bystanders.witness.listen(cabinet.id, "cabinet"),
        faults: {
          ...NO_FAULTS,
          get silence() {
            return isIn("silence") ? 0.5 : 0;
          },
        },
        isJammed: () => isIn("jam") && random() < 0.5,
        losesPowerAt: () => isIn("power cut") && random() < 0.3,
      });
      machine.hardware.setPeople(false);
      boxes.push({ cabinet, machine, hasItemSensors, troubles });
    }
    /** Goods of orders that have ended, in cabinets with sensors. */
    const leftBehind = (orders: readonly Order[]) =>
      [...bystanders.goods].flatMap(([place, id]) => {
        const order = orders.find((each) => each.id === id);
        const box = order && boxOf(order);
        if (!order || !box?.hasItemSensors || isLive(order.state)) return [];
        return [{ ...order, box, place }];
      });
    const shown = new Set<number>();
    /** Prints what was under way when an order ended while its goods lay in the compartment. */
    async function showLeftBehind(): Promise<void> {
      for (const { id, no, box, state } of leftBehind(await findOrders())) {
        if (shown.has(id)) continue;
        shown.add(id);
        const found = `order ${id} ${state} with its goods inside`;
        process.stdout.write(
          `${found}\n${await patiently(() => bystanders.witness.show(box, no))}\n`,
        );
      }
    }
    const hasSessions = () => boxes.every(({ machine }) => machine.hasSession());
    await until("sessions", hasSessions);
    const watch = setInterval(() => bystanders.watch(boxes), 50);

    /** Starts a fault at this cabinet, or at the gateway for all. */
    async function trouble(box: Box, fault: Fault): Promise<void> {
      const until = performance.now() + AFTERMATH_MS;
      const isOfAll = fault === "gateway killed" || fault === "gateway frozen";
      for (const each of isOfAll ? boxes : [box]) each.troubles.set(fault, until);
      if (fault === "line cut") box.machine.cutLine();
      if (fault === "power cut" && random() < 0.3) box.machine.losePower();
      if (fault === "forced door") bystanders.force(box, 1 + Math.floor(random() * DOORS));
      if (fault === "gateway killed" && !isFrozen) gateway.kill("SIGKILL");
      if (fault === "gateway frozen" && !isFrozen && !gateway.signalCode) {
        isFrozen = true;
        gateway.kill("SIGSTOP");
        const stopped = gateway;
        await sleep(1_000 + 7_000 * random());
        stopped.kill("SIGCONT");
        isFrozen = false;
      }
      // A card with the same identity on a workbench: it answers, and no lock of it ever moves.
      if (fault === "clone" && clones.length === 0) {
        const clone = await devices.switchOn(box.cabinet, {
          ...{ seed: SEED + 99, hasItemSensors: box.hasItemSensors, isJammed: () => true },
          storage: "journals-of-the-copy",
          onSent: bystanders.witness.listen(box.cabinet.id, "copy"),
        });
        clones.push(clone);
        await sleep(5_000 + 10_000 * random());
        await clone.stop();
        clones.pop();
      }
    }

    const byId = (id: number | null) => people.find(({ endUserId }) => endUserId === id);
    const ask =
      <Spec extends Parameters<typeof devices.testServer.call>[0]>(
        as: AppPerson | Person | null,
        spec: Spec,
        input: CallInput,
      ) =>
      (headers: Record<string, string>) =>
        devices.testServer.call(spec, as, { ...input, headers });
    const third =
      <Spec extends Parameters<typeof callOpen>[2]>(spec: Spec, input: CallInput) =>
      (headers: Record<string, string>) =>
        callOpen(devices.testServer, partner, spec, { ...input, headers });

    function deposit(box: Box): Intent {
      const recipientPhone = pick(people).phone;
      if (random() < 0.6) {
        const body = { sn: box.cabinet.sn, size: "S", recipientPhone, itemNote: "" };
        return ask(pick(people), appOrderContract.deposit, { body });
      }
      const body = {
        ...{ thirdPartyNo: `T-${SEED}-${presses.intents}-${random()}`.slice(0, 40), size: "S" },
        ...{ cabinetSn: box.cabinet.sn, recipientPhone, opensDoor: true },
      };
      return third(openApiContract.createOrder, { body });
    }

    function openAgain(order: Order, purpose: OpenPurpose): Intent {
      const { id, isPartners } = order;
      // A person looked at the door and decided.
      const afterDoubt = random() < 0.3 || undefined;
      const params = { id };
      const rider = byId(order.riderId);
      const recipient = byId(order.recipientId);
      if (isPartners && random() < 0.5) {
        return third(openApiContract.openDoor, { params, body: { purpose, afterDoubt } });
      }
      if (purpose === "DEPOSIT" && rider && random() < 0.6) {
        return ask(rider, appOrderContract.openAgain, { params, query: { afterDoubt } });
      }
      if (purpose === "TAKE_BACK" && rider && random() < 0.6) {
        return ask(rider, appOrderContract.takeBack, {
          params,
          body: { agreedFen: 0, afterDoubt },
        });
      }
      if (purpose === "PICKUP" && recipient && random() < 0.7) {
        if (random() < 0.5) {
          const body = { agreedFen: 0, afterDoubt };
          return ask(recipient, appOrderContract.pickup, { params, body });
        }
        return async (headers) => {
          const box = boxOf(order);
          const body = {
            ...{ sn: box.cabinet.sn, code: await codeOf(order), agreedFen: 0, afterDoubt },
            phoneTail: recipient.phone.slice(-4),
          };
          return ask(recipient, appOrderContract.pickupByCode, { body })(headers);
        };
      }
      const body = { purpose, waives: false, afterDoubt, reason: "用户来电" };
      return ask(operator, orderActionContract.open, { params, body });
    }

    function cancel({ id, riderId, isPartners }: Order): Intent {
      const params = { id };
      const rider = byId(riderId);
      if (isPartners && random() < 0.7) return third(openApiContract.cancelOrder, { params });
      if (rider && random() < 0.7) return ask(rider, appOrderContract.cancel, { params });
      return ask(operator, orderActionContract.cancel, { params, body: { reason: "用户来电" } });
    }

    const boxOf = ({ cabinetId }: Order) =>
      boxes.find(({ cabinet }) => cabinet.id === cabinetId) as Box;

    /** Presses, waits as a browser without a network would, and sends. */
    async function press(box: Box, intent: Intent): Promise<void> {
      const now = performance.now();
      const faults = [...box.troubles].flatMap(([fault, end]) => (end > now ? [fault] : []));
      const isOffline = isStorm && random() < 0.06;
      const hasWrongClock = isStorm && random() < 0.1;
      if (isOffline) faults.push("offline browser");
      if (hasWrongClock) faults.push("wrong client clock");
      const client = hasWrongClock ? pick(wrong) : exact;
      if (isStorm && (hasWrongClock || random() < 0.05)) await client.learn(devices);
      const pressedAt = Date.now();
      const headers = client.press();
      if (isOffline) await sleep(1_000 + 24_000 * random());
      const { errMsg, errCode, data } = await intent(headers);
      const given = data as { commandId?: string; id?: string; opening?: { id: string } } | null;
      const commandId = given?.commandId ?? given?.opening?.id ?? given?.id;
      const code = errMsg ? (errCode ?? errMsg) : undefined;
      presses.note(faults.length > 0 ? faults : ["none"], pressedAt, {
        ...(code && { code }),
        ...(typeof commandId === "string" && { commandId }),
      });
    }

    async function act(): Promise<void> {
      const live = (await findOrders()).filter(({ state }) => isLive(state));
      const order = live.length > 0 && random() > 0.35 ? pick(live) : null;
      if (!order) {
        const box = pick(boxes);
        return press(box, deposit(box));
      }
      const box = boxOf(order);
      if (order.state === "EXCEPTION") return settle(order);
      if (hasGoods(order.state)) {
        return press(box, openAgain(order, random() < 0.8 ? "PICKUP" : "TAKE_BACK"));
      }
      return press(box, random() < 0.6 ? openAgain(order, "DEPOSIT") : cancel(order));
    }

    /** Staff take the goods out and complete the order. */
    async function settle(order: Order): Promise<void> {
      const box = boxOf(order);
      await bystanders.empty(box, order.no, order.id);
      const body = { chargeFen: 0, reason: "现场取出" };
      await ask(operator, orderActionContract.complete, { params: { id: order.id }, body })(
        exact.press(),
      );
    }

    await Promise.all([exact, ...wrong].map((client) => client.learn(devices)));
    const offline = new Set<Promise<void>>();
    const troubles = new Set<Promise<void>>();
    const local = FAULTS.filter(
      (fault) => KINDS.test(fault) && !/none|client|browser|gateway/.test(fault),
    );
    const startedAt = performance.now();
    let lastFollow = startedAt;
    let lastFreeze = startedAt;
    const isOver = () => performance.now() - startedAt > MINUTES * 60_000;
    while (presses.intents + offline.size < INTENTS && !isOver()) {
      while (offline.size >= 40) await Promise.race(offline);
      const acts = Array.from({ length: AT_ONCE }, () => {
        const work = act();
        offline.add(work);
        void work.finally(() => offline.delete(work));
        return work;
      });
      // Presses that wait for their network do not hold back the others.
      await Promise.race([Promise.all(acts), sleep(1_500)]);
      if (random() < 0.3) start(pick(boxes), pick(local));
      if (performance.now() - lastFreeze > 15_000) {
        lastFreeze = performance.now();
        start(pick(boxes), random() < 0.5 ? "gateway killed" : "gateway frozen");
      }
      if (gateway.signalCode) {
        gateway = await devices.forkGateway();
        // A busy machine takes long to start it: cabinets need time to have a session.
        lastFreeze = performance.now();
      }
      if (performance.now() - lastFollow > 3_000) {
        lastFollow = performance.now();
        await follow();
        await showLeftBehind();
      }
      await sleep(60);
    }
    function start(box: Box, fault: Fault): void {
      const work = trouble(box, fault);
      troubles.add(work);
      void work.finally(() => troubles.delete(work));
    }
    await Promise.all(offline);
    await Promise.all(troubles);
    isStorm = false;
    if (gateway.signalCode) gateway = await devices.forkGateway();
    const calm = performance.now();
    // A cabinet that connected too often is banned for five minutes.
    await until("sessions after the storm", hasSessions, 330_000);
    await bystanders.gone();

    // Snapshots settle the remaining doubts before anybody presses again.
    /** Staff say what they see: nothing in a reservation's compartment, or whether the door of goods opened. */
    async function decide(commandId: string, orderId: number): Promise<void> {
      const params = { id: orderId };
      const doors = boxes.flatMap(({ machine }) => machine.hardware.pulses);
      const isOpened = doors.some(({ cmdId }) => cmdId === commandId);
      const reason = "现场核实";
      // Refused unless a later snapshot says empty and shut.
      await ask(operator, orderActionContract.cancel, { params, body: { reason } })({});
      const body = { isOpened, reason };
      await ask(operator, orderActionContract.decideOpening, { params, body })({});
    }
    let unsettled: Unsettled[] = [];
    for (const end = performance.now() + 60_000; performance.now() < end; await sleep(500)) {
      await passMinute();
      await follow();
      unsettled = await findUnsettled();
      if (unsettled.length === 0) break;
      for (const row of unsettled) if (row.orderId !== null) await decide(row.id, row.orderId);
    }

    const orders = await findOrders();
    const againstSensors = leftBehind(orders).map(
      ({ id, state, place }) =>
        `order ${id} ${state} at ${place}${bystanders.settled.has(id) ? ", by staff" : ""}`,
    );
    const pulses = boxes.flatMap(({ machine }) => machine.hardware.pulses);
    const twice = pulses.length - new Set(pulses.map(({ cmdId }) => cmdId)).size;
    const outOfService = await read<{ sn: string }>(sql`
    select sn from cabinet where tenant_id = ${tenantId} and not is_greeted`);
    clearInterval(watch);

    const lines = [
      `goods SEED=${SEED}: ${presses.intents} intents, ${orders.length} orders, ${pulses.length} doors, latest ${presses.latestSeconds(pulses).toFixed(1)} s after its press, calm after ${Math.round((performance.now() - calm) / 1_000)} s`,
      ...[...presses.byFault].map(
        ([fault, { intents, granted, refused }]) =>
          `  ${fault}: ${intents} intents, ${granted} granted, ${refused} refused`,
      ),
      `  refusals: ${[...presses.refusals].map(([code, n]) => `${code} ${n}`).join(", ")}`,
      `  orders: ${Object.entries(Object.groupBy(orders, ({ state }) => state))
        .map(([state, list]) => `${state} ${list?.length}`)
        .join(", ")}`,
    ];
    process.stdout.write(`${lines.join("\n")}\n`);
    expect({
      late: presses.lateDoors(pulses),
      wrongDoors: bystanders.wrongDoors,
      againstSensors,
      twice,
      outOfService,
      unsettled,
    }).toEqual({
      late: [],
      wrongDoors: [],
      againstSensors: [],
      twice: 0,
      outOfService: [],
      unsettled: [],
    });
  },
  INTENTS * 500 + 720_000,
);
