// Names that no account may take, because the product itself acts under them.
import { nameKey } from "../../kit/name.rules.ts";

const RESERVED = new Set([
  ...[
    "系统",
    "系統",
    "系统自动",
    "系统管理员",
    "系统管理",
    "自动",
    "平台",
    "平台方",
    "平台管理员",
    "平台管理",
    "平台客服",
  ],
  ...[
    "管理员",
    "管理員",
    "超级管理员",
    "超级用户",
    "设备",
    "柜机",
    "小程序",
    "第三方",
    "匿名",
    "匿名用户",
    "用户",
  ],
  ...["其他人", "其他账号", "已注销用户", "已删除", "无", "未知", "本人"],
  ...[
    "system",
    "sys",
    "admin",
    "administrator",
    "sysadmin",
    "superadmin",
    "root",
    "superuser",
    "platform",
  ],
  ...["storage", "null", "undefined", "none", "anonymous", "unknown"],
]);
/** Anything behind it still reads as the system. */
const PREFIX = /^(系统|系統|system)/;

/** Digits and signs around the word do not make it another one: `系统01`, `【系统】`, `admin_1`. */
export function isReservedName(name: string): boolean {
  const word = nameKey(name).replace(/[^\p{L}]/gu, "");
  return RESERVED.has(word) || PREFIX.test(word);
}
