// Routes of journals.
import { ledgerContract } from "@cabinet/contract/money/ledger/ledger.contract.ts";
import { mount } from "../../../platform/http/mount.ts";
import { getJournal, listJournals, sumOfJournals } from "./journal.service.ts";

export const ledgerRoutes = mount(ledgerContract, {
  list: (ctx, { query }) => listJournals(ctx, query),
  sums: (ctx, { query }) => sumOfJournals(ctx, query),
  get: (ctx, { params }) => getJournal(ctx, params.id),
});
