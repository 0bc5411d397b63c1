// What neighbours may use of console accounts.
export { ensureFirstOperator, FIRST_USERNAME } from "./first-operator.ts";
export { insertOperator } from "./operator.sql.ts";
