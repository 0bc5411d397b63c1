// The person's own data as a file: what the other screens show, whole.
import { call } from "../kit/api.ts";
import type { ReplyOf } from "../kit/calls.ts";

const PAGE_SIZE = 100;

/** All pages of a list, newest first. */
async function allOf<Name extends "list" | "journals">(
  name: Name,
): Promise<ReplyOf<Name>["list"][number][]> {
  const rows: ReplyOf<Name>["list"][number][] = [];
  const pageOf = call as (name: Name, input: object) => Promise<ReplyOf<Name>>;
  for (let page = 1; ; page++) {
    const { list, total } = await pageOf(name, { query: { page, pageSize: PAGE_SIZE } });
    rows.push(...list);
    if (list.length === 0 || rows.length >= total) return rows;
  }
}

/** Collects account, wallet, parcels and journals, and saves them as JSON. Amounts are in fen. */
export async function saveOwnData(): Promise<void> {
  const [account, wallet] = [await call("me"), await call("wallet")];
  const data = { account, wallet, parcels: await allOf("list"), journals: await allOf("journals") };
  const file = new Blob([JSON.stringify(data, null, 2)], { type: "application/json" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = `my-data-${new Date().toISOString().slice(0, 10)}.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
