// Public exports of the ledger feature.
export { UserJournals } from "./user-journals.tsx";
