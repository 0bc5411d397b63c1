// Public interface of the ledger: no other feature writes wallets, journals, legs and holds.
export { ledgerJobs } from "./ledger.jobs.ts";
export { ledgerRoutes } from "./ledger.routes.ts";
export {
  payFromWallet,
  postHold,
  postJournal,
  releaseHold,
  spendable,
  splitOrRefuse,
  takeHold,
  walletOf,
} from "./posting.service.ts";
export type { JournalDraft, PostedJournal } from "./posting.sql.ts";
export { findHoldOfOrder, forgetJournalActor, lockWallets } from "./posting.sql.ts";
