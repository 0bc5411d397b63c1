// Every call of the contract with an input that succeeds, for tests that run over all calls.
import type { CallName, CallRow } from "./call-row.ts";
import { cabinetRows } from "./call-rows/cabinet-rows.ts";
import { malfunctionRows } from "./call-rows/malfunction-rows.ts";
import { noticeRows } from "./call-rows/notice-rows.ts";
import { openRows } from "./call-rows/open-rows.ts";
import { orderRows } from "./call-rows/order-rows.ts";
import { peopleRows } from "./call-rows/people-rows.ts";
import { templateRows } from "./call-rows/template-rows.ts";
import { webhookRows } from "./call-rows/webhook-rows.ts";

export const callRows: Record<CallName, CallRow> = {
  ...cabinetRows,
  ...webhookRows,
  ...malfunctionRows,
  ...noticeRows,
  ...openRows,
  ...orderRows,
  ...peopleRows,
  ...templateRows,
};
