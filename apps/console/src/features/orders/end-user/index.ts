// Public exports of the end-user feature.
export { EndUserDetail as PersonCard } from "./end-user-detail.tsx";
