// Closed lists of orders that several domains use.

/** Role of a person in an order. */
export const APP_ROLES = ["RIDER", "RECIPIENT"] as const;
export type AppRole = (typeof APP_ROLES)[number];

export const ORDER_STATES = [
  "PENDING",
  "DEPOSITING",
  "STORED",
  "OVERDUE",
  "PICKING",
  "COMPLETED",
  "CANCELLED",
  "TAKEN_BACK",
  "ADMIN_CLEARED",
  "EXCEPTION",
] as const;
export type OrderState = (typeof ORDER_STATES)[number];
export const orderStateText: Record<OrderState, string> = {
  PENDING: "待存入",
  DEPOSITING: "存件中",
  STORED: "待取件",
  OVERDUE: "已滞留",
  PICKING: "取件中",
  COMPLETED: "已完成",
  CANCELLED: "已取消",
  TAKEN_BACK: "已取回",
  ADMIN_CLEARED: "已清柜",
  EXCEPTION: "异常",
};

/** Kind of the actor of an event. */
export const ACTOR_KINDS = ["END_USER", "OPERATOR", "SYSTEM", "PARTNER"] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];
export const actorKindText: Record<ActorKind, string> = {
  OPERATOR: "运营人员",
  END_USER: "用户",
  PARTNER: "第三方",
  SYSTEM: "系统",
};
