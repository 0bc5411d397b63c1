// What neighbours may use of journals on screen.
export { UserJournals } from "./user-journals.tsx";
