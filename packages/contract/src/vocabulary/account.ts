// Schema of an account's type.
import { type Static, Type } from "typebox";

export const UserType = Type.Union([Type.Literal(0), Type.Literal(1), Type.Literal(2)], {
  description: "0 平台/超级管理员，1 租户运营，2 运维人员",
});
export type UserType = Static<typeof UserType>;
