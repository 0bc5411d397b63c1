// Route of the month's statement.
import { statementContract } from "@cabinet/contract/money/statement/statement.contract.ts";
import { mount } from "../../../platform/http/mount.ts";
import { readStatement } from "./statement.service.ts";

export const statementRoutes = mount(statementContract, {
  month: (ctx, { query }) => readStatement(ctx, query),
});
