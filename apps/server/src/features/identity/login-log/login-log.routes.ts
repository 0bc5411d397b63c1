// Routes of the sign-in log.
import { loginLogContract } from "@cabinet/contract/identity/login-log/login-log.contract.ts";
import { deviceOf } from "@cabinet/contract/identity/login-log/user-agent.rules.ts";
import { requireSpan } from "../../../platform/db/span.ts";
import { mount } from "../../../platform/http/mount.ts";
import { findSignIns } from "./login-log.sql.ts";

export const loginLogRoutes = mount(loginLogContract, {
  async list(ctx, { query }) {
    requireSpan(query);
    const page = await findSignIns(ctx.db, ctx.session, query);
    return { ...page, list: page.list.map((row) => ({ ...row, device: deviceOf(row.userAgent) })) };
  },
});
