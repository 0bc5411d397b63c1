// HTTP route of the search box.
import { searchContract } from "@cabinet/contract/orders/search/search.contract.ts";
import { mount } from "../../../platform/http/mount.ts";
import { search } from "./search.service.ts";

export const searchRoutes = mount(searchContract, {
  find: (ctx, { query }) => search(ctx, query.text),
});
