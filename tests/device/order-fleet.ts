// Orders at a scripted cabinet that sends exactly the reports of a test, in any order.
import type { OpenPurpose } from "@cabinet/contract/orders/order/order.rules.ts";
import type { Side } from "@cabinet/contract/vocabulary/hardware.ts";
import type { OrderState } from "@cabinet/contract/vocabulary/order.rules.ts";
import type { AckStage, Command, CompartmentReport, EventType } from "@cabinet/link";
import {
  type OpeningOrder,
  openByCode,
  openOrder,
  orderJobs,
  startOrder,
} from "../../apps/server/src/features/orders/order/index.ts";
import type { Actor } from "../../apps/server/src/platform/actor.ts";
import type { Db } from "../../apps/server/src/platform/db/db.ts";
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import { Refusal } from "../../apps/server/src/platform/errors.ts";
import { createLog } from "../../apps/server/src/platform/log.ts";
import { insertEndUser } from "../support/orders.ts";
import { type DeviceFleet, type FleetCabinet, until } from "./device-fleet.ts";
import { RawCabinet } from "./raw-cabinet.ts";

export interface OrderFacts {
  state: OrderState;
  no: number;
  payStatus: string;
  priceFen: number;
  paidFen: number;
  coveredFen: number;
  heldFen: number;
  balanceFen: number;
  occupancy: string;
  hasCode: boolean;
  isInDoubt: boolean;
  kinds: string;
}

/** Resolves to the code of a refusal, or to "granted". */
export const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => "granted",
    (error: unknown) => (error instanceof Refusal ? error.code : String(error)),
  );

/** Runs one scheduled task of the order jobs now. */
export const runOrderTask = ({ testServer: { database } }: DeviceFleet, task: string) =>
  orderJobs.tasks[task]?.({}, { database, log: createLog("silent") });

/**
 * Moves the last two minutes into the past, so that the sweep settles the commands under way as UNKNOWN, and nobody can pull at
 * a door that stuck any more.
 */
export async function silence(at: OrderCabinet): Promise<void> {
  await at.within(async (db) => {
    await db.run(sql`
      update cabinet set snapshot_asked_at = snapshot_asked_at - interval '120 seconds'
      where id = ${at.cabinet.id}`);
    await db.run(sql`
      update command set expires_at = expires_at - interval '120 seconds',
        acked_at = acked_at - interval '120 seconds'
      where cabinet_id = ${at.cabinet.id} and state in ('SENT', 'ACKED')`);
  });
}

/** A cabinet with a rider and a recipient, each with 120 yuan in the wallet. */
export class OrderCabinet {
  readonly cabinet: FleetCabinet;
  readonly fleet: DeviceFleet;
  readonly riderId: number;
  readonly recipientId: number;
  raw: RawCabinet;
  bootNo = 1;
  private readonly side: Side;
  private taken = 0;

  static async make(fleet: DeviceFleet, { side = "SINGLE" as Side, doors = 1 } = {}) {
    const cabinet = await fleet.addCabinet({ side, doors });
    const { tenantId } = cabinet;
    const [riderId, recipientId] = await fleet.testServer.database.transaction(
      { tenantId },
      async (db) => {
        await db.run(sql`
        insert into pricing_rule (tenant_id, cabinet_id, free_minutes, per_use_fen, step_minutes,
          step_fen, cap_fen, overdue_after_minutes, edited_by)
        values (${tenantId}, ${cabinet.id}, 0, 0, 60, 100, null, 1440, 'test')`);
        return [
          await insertEndUser(db, tenantId, "骑手"),
          await insertEndUser(db, tenantId, "收件人"),
        ];
      },
    );
    const raw = await RawCabinet.connect(fleet, cabinet);
    const made = new OrderCabinet(
      fleet,
      cabinet,
      side,
      raw,
      riderId as number,
      recipientId as number,
    );
    await made.greet();
    return made;
  }

  private constructor(
    fleet: DeviceFleet,
    cabinet: FleetCabinet,
    side: Side,
    raw: RawCabinet,
    riderId: number,
    recipientId: number,
  ) {
    this.fleet = fleet;
    this.cabinet = cabinet;
    this.side = side;
    this.raw = raw;
    this.riderId = riderId;
    this.recipientId = recipientId;
  }

  get rider(): Actor {
    return { kind: "END_USER", id: this.riderId, name: "骑手" };
  }

  get recipient(): Actor {
    return { kind: "END_USER", id: this.recipientId, name: "收件人" };
  }

  /** Report of compartment 1; its back door is closed. */
  cell(front: CompartmentReport["front"], item: CompartmentReport["item"]): CompartmentReport {
    return { no: 1, front, item, ...(this.side === "DOUBLE" && { back: "CLOSED" as const }) };
  }

  async greet(more: Parameters<RawCabinet["greet"]>[0] = {}): Promise<void> {
    const compartments = [this.cell("CLOSED", "EMPTY")];
    await this.raw.greet({ bootNo: this.bootNo, side: this.side, compartments, ...more });
  }

  /** Reconnects as after a power loss, with the report numbering restarted. */
  async reboot(more: Parameters<RawCabinet["greet"]>[0]): Promise<void> {
    this.raw.cut();
    this.bootNo++;
    this.raw = await RawCabinet.connect(this.fleet, this.cabinet);
    this.taken = 0;
    await this.greet(more);
  }

  within<Result>(work: (db: Db) => Promise<Result>): Promise<Result> {
    return this.fleet.testServer.database.transaction({ tenantId: this.cabinet.tenantId }, work);
  }

  /** Starts an order and requests its door. */
  start(riderId: number | null = this.riderId): Promise<OpeningOrder> {
    const { cabinet, recipientId, rider, recipient } = this;
    const { tenantId, id: cabinetId } = cabinet;
    const actor = riderId === null ? recipient : rider;
    return this.within(async (db) => {
      const request = { tenantId, cabinetId, size: "S" as const, riderId, recipientId };
      const { orderId } = await startOrder(db, actor, request);
      return openOrder(db, actor, { tenantId, orderId, purpose: "DEPOSIT", requestId: "test" });
    });
  }

  open(
    actor: Actor,
    orderId: number,
    purpose: OpenPurpose,
    more: { afterDoubt?: boolean } = {},
  ): Promise<OpeningOrder> {
    const { tenantId } = this.cabinet;
    return this.within((db) =>
      openOrder(db, actor, { tenantId, orderId, purpose, requestId: "test", ...more }),
    );
  }

  openByCode(actor: Actor, code: string): Promise<OpeningOrder | null> {
    const { tenantId, id: cabinetId } = this.cabinet;
    return this.within(async (db) => {
      const { phoneTail } = await db.one<{ phoneTail: string }>(sql`
        select right(phone, 4) as phone_tail from end_user where id = ${this.recipientId}`);
      return openByCode(db, actor, { tenantId, cabinetId, code, phoneTail, requestId: "test" });
    });
  }

  /** Waits for the next command that opens a door. */
  async take() {
    const at = this.taken;
    const command = await until("a command", () => this.heard("OPEN")[at]);
    this.taken++;
    return command;
  }

  heard<Type extends Command["type"]>(type: Type): Extract<Command, { type: Type }>[] {
    return this.raw.heard("cmd").flatMap(({ command }) => {
      const isIt = command.ok && command.message.type === type;
      return isIt ? [command.message as Extract<Command, { type: Type }>] : [];
    });
  }

  /** Waits for the next RESYNC and answers it with this state of compartment 1. */
  async answersResync(row: CompartmentReport) {
    const before = this.heard("RESYNC").length;
    const { cmdId } = await until("a RESYNC", () => this.heard("RESYNC")[before]);
    const state = { ...this.head(), full: true, cmdId, part: 1, parts: 1, compartments: [row] };
    await this.raw.send(this.raw.seal("state", state));
  }

  /** Time that has passed at the cabinet beside its reports, in milliseconds. */
  waitedMs = 0;

  private head(n = ++this.raw.n) {
    return { bootNo: this.bootNo, n, mono: n * 1_000 + this.waitedMs };
  }

  async ack(
    { cmdId, seq }: { cmdId: string; seq: number },
    stage: AckStage,
    n?: number,
    reason?: string,
  ) {
    const ack = { ...this.head(n), cmdId, seq, stage, ...(reason && { reason }) };
    await this.raw.send(this.raw.seal("ack", ack));
  }

  async event(type: EventType, compartment: CompartmentReport, cmdId?: string, n?: number) {
    const evt = { ...this.head(n), type, compartment, ...(cmdId && { cmdId }) };
    await this.raw.send(this.raw.seal("evt", evt));
  }

  /** Sends the reports of a successful opening: ACKED, DOOR_OPENED, CONFIRMED. */
  async opens(command: { cmdId: string; seq: number }, item: CompartmentReport["item"]) {
    await this.ack(command, "ACKED");
    await this.event("DOOR_OPENED", this.cell("OPEN", item), command.cmdId);
    await this.ack(command, "CONFIRMED");
  }

  async closes(item: CompartmentReport["item"]) {
    await this.event("DOOR_CLOSED", this.cell("CLOSED", item));
  }

  /** Creates an order with goods inside since `minutes`. */
  async stored(minutes = 0): Promise<number> {
    const { orderId } = await this.start();
    await this.opens(await this.take(), "EMPTY");
    await this.closes("PRESENT");
    await this.within((db) =>
      db.run(sql`
        update storage_order set stored_at = stored_at - make_interval(mins => ${minutes})
        where id = ${orderId}`),
    );
    return orderId;
  }

  facts(orderId: number): Promise<OrderFacts> {
    return this.within((db) =>
      db.one<OrderFacts>(sql`
        select ord.state, ord.compartment_no as no, ord.pay_status, ord.price_fen,
          ord.paid_principal_fen + ord.paid_bonus_fen as paid_fen, ord.covered_fen,
          coalesce((select sum(hold.principal_fen + hold.bonus_fen) from wallet_hold hold
            where hold.order_id = ord.id and hold.state = 'HELD'), 0)::bigint as held_fen,
          (select sum(wallet.principal_fen + wallet.bonus_fen) from wallet
            where wallet.tenant_id = ord.tenant_id
              and wallet.end_user_id in (ord.rider_id, ord.recipient_id))::bigint as balance_fen,
          comp.occupancy, live_order.code_hash is not null as has_code,
          live_order.doubt_id is not null as is_in_doubt,
          (select string_agg(order_event.kind, ' ' order by order_event.id) from order_event
            where order_event.tenant_id = ord.tenant_id and order_event.order_id = ord.id) as kinds
        from storage_order ord
        join compartment comp on comp.cabinet_id = ord.cabinet_id and comp.no = ord.compartment_no
        left join live_order on live_order.order_id = ord.id
        where ord.id = ${orderId}`),
    );
  }

  /** The pickup code from the last text message of this order. */
  async code(orderId: number): Promise<string> {
    const sms = await this.within((db) =>
      db.one<{ phone: string; text: Buffer }>(sql`
        select phone, sealed_text as text from sms_message
        where order_id = ${orderId} and scene = 'PICKUP_CODE' order by id desc limit 1`),
    );
    const text = this.fleet.vault.open(sms.text, `sms:${this.cabinet.tenantId}:${sms.phone}`);
    return text.match(/取件码 (\d{6})/)?.[1] ?? "";
  }
}
