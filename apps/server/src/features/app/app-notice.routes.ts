// HTTP handlers of the app for announcements and FAQ.
import { appNoticeContract } from "@cabinet/contract/app/app-notice.contract.ts";
import { groupByCategory } from "@cabinet/contract/faq/faq.rules.ts";
import { refuse } from "../../platform/errors.ts";
import { mount } from "../../platform/mount.ts";
import { findForEndUser, markReadByEndUser } from "../announcement/index.ts";
import { findForPeople } from "../faq/index.ts";

export const appNoticeRoutes = mount(appNoticeContract, {
  announcements: ({ db, user }, { query }) => findForEndUser(db, user, query),
  readAnnouncement: async ({ db, user }, { params }) => {
    if (!(await markReadByEndUser(db, user, params.id))) refuse("NOT_FOUND", { what: "公告" });
    return null;
  },
  faq: async ({ db, user }, { query }) =>
    groupByCategory(await findForPeople(db, user.tenantId, query.keyword)),
});
