// HTTP routes of console sessions.
import { sessionContract } from "@cabinet/contract/identity/session/session.contract.ts";
import { mount } from "../../../platform/http/mount.ts";
import { endSession, listSessions } from "./session.service.ts";

export const sessionRoutes = mount(sessionContract, {
  list: (ctx, { query }) => listSessions(ctx, query),
  end: (ctx, { params, body }) => endSession(ctx, params.id, body.reason),
});
