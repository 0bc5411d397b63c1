// Riders and recipients of the demo: invented names and phones, each with a home store.
import { DAY, MINUTE } from "../fleet/cabinet.ts";
import { Random } from "../random.ts";

export interface DemoPerson {
  tenantId: number;
  phone: string;
  name: string;
  isRider: boolean;
  /** Index of the store they visit most. */
  home: number;
  createdAt: number;
  /** Last visit; null: never. */
  seenAt: number | null;
  /** Null: not locked. */
  lockedAt: number | null;
  /** Assigned by the database. */
  id: number;
}

export const LOCK_DAYS = 30;
export const LOCK_REASON = "多次滞留不取，电话联系不上";

const surnames = [
  ..."王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕",
];
const givenNames = [
  ..."伟芳娜敏静强磊军洋勇艳杰娟涛明超霞平刚玲丹萍鹏华红健峰琳宇鑫倩帆璐妍晨昊",
  ..."子轩 梓涵 雨桐 佳怡 思远 一诺 欣怡 浩然 宇航 嘉豪 诗涵 若曦 俊杰 雅婷 文博 晓彤".split(" "),
];
const prefixes = ["136", "137", "138", "139", "150", "158", "186", "188"];

/** People of one tenant: riders first, then recipients by store. */
export function inventPeople(
  tenantId: number,
  counts: { riders: number; recipients: number; stores: number },
  firstDay: number,
): DemoPerson[] {
  const random = new Random(9_000 + tenantId);
  const phones = new Set<string>();
  const { riders, recipients, stores } = counts;
  return Array.from({ length: riders + recipients }, (_, nth) => ({
    tenantId,
    phone: inventPhone(random, phones),
    name: `${random.pick(surnames)}${random.pick(givenNames)}`,
    isRider: nth < riders,
    home: nth % Math.max(1, stores),
    createdAt: firstDay - random.int(1, 20) * DAY + (420 + ((nth * 7_919) % 840)) * MINUTE,
    seenAt: null,
    // The last person is the least frequent visitor.
    lockedAt: nth === riders + recipients - 1 ? firstDay + 87 * DAY + 613 * MINUTE : null,
    id: 0,
  }));
}

/** Fictitious number: four zeros in the middle. */
function inventPhone(random: Random, taken: Set<string>): string {
  let phone: string;
  do {
    phone = `${random.pick(prefixes)}0000${String(random.int(0, 9_999)).padStart(4, "0")}`;
  } while (taken.has(phone));
  taken.add(phone);
  return phone;
}

/** Skewed draw: the first people come often, the last ones hardly ever. */
export function pickPerson(random: Random, people: readonly DemoPerson[]): DemoPerson {
  return people[Math.floor(people.length * random.next() ** 1.7)] as DemoPerson;
}
