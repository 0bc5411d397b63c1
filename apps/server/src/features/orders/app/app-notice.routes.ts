// HTTP handlers of the app for announcements and FAQ.

import { groupByCategory } from "@cabinet/contract/messaging/faq/faq.rules.ts";
import { appNoticeContract } from "@cabinet/contract/orders/app/app-notice.contract.ts";
import { refuse } from "../../../platform/errors.ts";
import { mount } from "../../../platform/http/mount.ts";
import { findForEndUser, markReadByEndUser } from "../../messaging/announcement/index.ts";
import { findForPeople } from "../../messaging/faq/index.ts";

export const appNoticeRoutes = mount(appNoticeContract, {
  announcements: ({ db, user }, { query }) => findForEndUser(db, user, query),
  readAnnouncement: async ({ db, user }, { params }) => {
    if (!(await markReadByEndUser(db, user, params.id))) refuse("NOT_FOUND", { what: "公告" });
    return null;
  },
  faq: async ({ db, user }, { query }) =>
    groupByCategory(await findForPeople(db, user.tenantId, query.keyword)),
});
