// Operators' marks on people in the demo: tags, notes, and locks with their reasons.
import type { TagColor } from "@cabinet/contract/orders/end-user/end-user.rules.ts";
import type { Db } from "../../platform/db/db.ts";
import { DAY } from "../fleet/cabinet.ts";
import { Random } from "../random.ts";
import { insertNumberedRows, insertRows } from "../rows.sql.ts";
import type { DemoActor } from "./account.ts";
import { type DemoPerson, LOCK_DAYS, LOCK_REASON } from "./person.ts";

interface DemoTag {
  name: string;
  color: TagColor;
  remark: string;
  isOf: (person: DemoPerson, random: Random) => boolean;
}

const tags: readonly DemoTag[] = [
  {
    name: "企业骑手",
    color: "BLUE",
    remark: "与我们签约的配送公司的骑手",
    isOf: (person, random) => person.isRider && random.chance(0.6),
  },
  {
    name: "VIP",
    color: "GOLD",
    remark: "经常使用，优先处理反馈",
    isOf: (person, random) => person.seenAt !== null && random.chance(0.06),
  },
  {
    name: "经常滞留",
    color: "RED",
    remark: "提醒后仍不取，存件前先电话确认",
    isOf: (person, random) => !person.isRider && random.chance(0.03),
  },
  {
    name: "需电话通知",
    color: "PURPLE",
    remark: "不方便看短信，取件请打电话",
    isOf: (person, random) => !person.isRider && random.chance(0.04),
  },
  {
    name: "企业员工",
    color: "GREEN",
    remark: "园区企业统一开通",
    isOf: (person, random) => !person.isRider && random.chance(0.08),
  },
];

const time = (ms: number) => new Date(ms).toISOString();

export async function insertTags(
  db: Db,
  people: readonly DemoPerson[],
  { tenantId, signature }: DemoActor,
  now: number,
): Promise<void> {
  const random = new Random(4_200 + tenantId);
  const own = people.filter((person) => person.tenantId === tenantId);
  const ids = await insertNumberedRows(
    db,
    "tag",
    tags.map(({ name, color, remark }, nth) => ({
      ...{ tenant_id: tenantId, name, color, remark },
      ...{ edited_at: time(now - (40 - nth) * DAY), edited_by: signature },
    })),
  );
  const worn = own.flatMap((person) =>
    tags.flatMap((tag, nth) =>
      tag.isOf(person, random)
        ? [{ tenant_id: tenantId, end_user_id: person.id, tag_id: ids[nth] }]
        : [],
    ),
  );
  await insertRows(db, "end_user_tag", worn);
}

/** Two notes on the rider who comes most, one on the locked person. */
export async function insertNotes(
  db: Db,
  people: readonly DemoPerson[],
  { tenantId, operatorId: actor_id, signature: actor_name }: DemoActor,
  now: number,
): Promise<void> {
  const own = people.filter((person) => person.tenantId === tenantId);
  const rider = own.find(({ isRider }) => isRider);
  const locked = own.find(({ lockedAt }) => lockedAt !== null);
  const notes: [of: DemoPerson | undefined, days: number, text: string][] = [
    [rider, 31, "新骑手，已电话指导存件步骤"],
    [rider, 4, "晚上 8 点后不接电话，请发短信"],
    [locked, 9, "常投诉，请先核实订单再处理"],
  ];
  const rows = notes.flatMap(([of, days, text]) => {
    const at = time(now - days * DAY);
    return of ? [{ tenant_id: tenantId, end_user_id: of.id, at, text, actor_id, actor_name }] : [];
  });
  await insertNumberedRows(db, "end_user_note", rows);
}

/** People locked now, and a rider who was unlocked again. */
export async function insertLocks(
  db: Db,
  people: readonly DemoPerson[],
  { tenantId, signature: actor_name }: DemoActor,
  now: number,
): Promise<void> {
  const own = people.filter((person) => person.tenantId === tenantId);
  const forgiven = own.find(({ isRider }) => isRider);
  const row = (person: DemoPerson, is_lock: boolean, at: number, reason: string) => ({
    ...{ tenant_id: tenantId, end_user_id: person.id, is_lock, reason, actor_name },
    ...{ at: time(at), locked_until: is_lock ? time(at + LOCK_DAYS * DAY) : null },
  });
  await insertRows(db, "end_user_lock", [
    ...(forgiven
      ? [
          row(forgiven, true, now - 33 * DAY, "多笔存件没有放入物品"),
          row(forgiven, false, now - 31 * DAY, "核实为新骑手不熟悉操作，已指导"),
        ]
      : []),
    ...own.flatMap((person) =>
      person.lockedAt === null ? [] : [row(person, true, person.lockedAt, LOCK_REASON)],
    ),
  ]);
}
