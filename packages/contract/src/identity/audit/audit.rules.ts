// Faults of the audit log's hash chain and their texts.

export const CHAIN_FAULTS = [
  "ENTRY_CHANGED",
  "ENTRY_MISSING",
  "LINK_MISSING",
  "ENTRY_ADDED",
  "TAIL_MISSING",
  "HEAD_CHANGED",
  "SEAL_BROKEN",
  "SEAL_CHANGED",
  "SEAL_MISSING",
] as const;
export type ChainFault = (typeof CHAIN_FAULTS)[number];

export const chainFaultText: Record<ChainFault, string> = {
  ENTRY_CHANGED: "内容或次序与校验值不符，记录被改动过",
  ENTRY_MISSING: "记录被删除",
  LINK_MISSING: "校验值被删除，链在此处断开",
  ENTRY_ADDED: "这条记录不在链上，是绕过系统写入的",
  TAIL_MISSING: "此后的记录被删除",
  HEAD_CHANGED: "链末登记与最后一条记录不符",
  SEAL_BROKEN: "与当日签出的校验码不符，整条链被重新计算过",
  SEAL_CHANGED: "签出的校验码被改动过",
  SEAL_MISSING: "签出的校验码被删除",
};
