// Public exports of the package feature.
export { UserCards } from "./user-cards.tsx";
