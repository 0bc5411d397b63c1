// Witness of a storm: prints what was under way at a compartment where goods went astray.
import { sql } from "../../apps/server/src/platform/db/sql.ts";
import type { DeviceFleet } from "./device-fleet.ts";
import type { Box } from "./goods-storm.ts";

const KEPT = 600;
const SHOWN = 40;

/** A report as it left a cabinet or the copy of its card. */
interface Sent {
  at: number;
  from: "cabinet" | "copy";
  kind: string;
  message: Record<string, unknown>;
}

export class Witness {
  private readonly sent = new Map<number, Sent[]>();
  private readonly fleet: DeviceFleet;

  constructor(fleet: DeviceFleet) {
    this.fleet = fleet;
  }

  /** Notes what a machine under this cabinet's identity sends. */
  listen =
    (cabinetId: number, from: Sent["from"]) =>
    (topic: string, payload: Buffer): void => {
      const json = payload.toString();
      const message = JSON.parse(json.slice(json.indexOf(".") + 1)) as Sent["message"];
      const list = this.sent.get(cabinetId) ?? [];
      list.push({ at: Date.now(), from, kind: topic.split("/").at(-1) ?? topic, message });
      this.sent.set(cabinetId, list.slice(-KEPT));
    };

  /** Everything known about the compartment at this moment. */
  async show({ cabinet, troubles, hasItemSensors }: Box, no: number): Promise<string> {
    const now = performance.now();
    const active = [...troubles].flatMap(([fault, end]) => (end > now ? [fault] : []));
    const own = await this.fleet.testServer.database.read("platform", async (db) => ({
      cabinet: await db.many(sql`
        select epoch, boot_base, boot_no, last_n, birth_run, identity_shared_at, command_seq, acknowledged_seq,
          snapshot_boot_no, snapshot_n, snapshot_asked_at, resync_due_at
        from cabinet where id = ${cabinet.id}`),
      compartment: await db.many(sql`
        select door_front, door_back, item, occupancy, reported_boot_no, reported_n
        from compartment where cabinet_id = ${cabinet.id} and no = ${no}`),
      live: await db.many(sql`
        select order_id, opened_side, opened_boot_no, opened_n, closed_item, doubt_id from live_order
        where cabinet_id = ${cabinet.id} and compartment_no = ${no}`),
      commands: await db.many(sql`
        select created_at, id, order_id, purpose, state, epoch, seq, acked_at, settled_at, asked_boot_no, asked_n,
          opened_boot_no, opened_n
        from command where cabinet_id = ${cabinet.id} and compartment_no = ${no}
        order by created_at desc limit 8`),
      events: await db.many(sql`
        select received_at, kind, boot_no, n, command_id from cabinet_event
        where cabinet_id = ${cabinet.id}
          and (compartment_no = ${no} or kind in ('BOOTED', 'IDENTITY_SHARED'))
        order by received_at desc limit ${SHOWN}`),
      orders: await db.many(sql`
        select order_event.at, order_event.order_id, order_event.kind, order_event.from_state, order_event.to_state,
          order_event.command_id, order_event.detail
        from order_event
        join storage_order on storage_order.tenant_id = order_event.tenant_id
          and storage_order.id = order_event.order_id
        where storage_order.cabinet_id = ${cabinet.id} and storage_order.compartment_no = ${no}
        order by order_event.id desc limit ${SHOWN}`),
    }));
    const sent = (this.sent.get(cabinet.id) ?? []).flatMap(({ at, from, kind, message }) => {
      const { compartments, compartment, journal, ...head } = message as Record<string, never>;
      const rows = [compartment ?? [], compartments ?? []].flat() as { no: number }[];
      const mine = rows.filter((row) => row.no === no);
      const isOther = rows.length > 0 && mine.length === 0;
      return isOther ? [] : [`${timeOf(at)} ${from} ${kind} ${JSON.stringify({ ...head, mine })}`];
    });
    return [
      `at ${timeOf(Date.now())}, cabinet ${cabinet.id} compartment ${no} (${hasItemSensors ? "with" : "without"} sensors), under way: ${active.join(", ") || "nothing"}`,
      ...Object.entries(own).flatMap(([name, rows]) =>
        rows.map((row) => `  ${name} ${JSON.stringify(row)}`),
      ),
      ...sent.slice(-2 * SHOWN).map((line) => `  sent ${line}`),
    ].join("\n");
  }
}

const timeOf = (at: number) => new Date(at).toISOString().slice(11, 23);
