// Snapshot of a list, kept by the server until its pages are fetched (see the export contract).

import type { EndpointSpec } from "@cabinet/contract/kit/endpoint.ts";
import { exportPageSize } from "@cabinet/contract/kit/export.rules.ts";
import { exportContract } from "@cabinet/contract/operations/export/export.contract.ts";
import { call } from "../../kit/api.ts";
import type { FetchPage } from "../sheet/export-pages.ts";

export interface ListSnapshot {
  /** Exact, even where the list itself caps its count. */
  total: number;
  pageSize: number;
  fetchPage: FetchPage;
  /** Tells the server that it may delete the snapshot. */
  end: () => void;
}

interface SnapshotOptions {
  signal: AbortSignal;
  /** Called with the number of exports queued before this one. */
  onAhead: (ahead: number) => void;
}

export type TakeSnapshot = (options: SnapshotOptions) => Promise<ListSnapshot>;

const WAITING_MS = 1_000;
const RUNNING_MS = 150;

/** Takes a snapshot of the list `spec` with this query. */
export async function takeSnapshot(
  spec: EndpointSpec,
  query: Readonly<Record<string, unknown>>,
  { signal, onAhead }: SnapshotOptions,
): Promise<ListSnapshot> {
  const texts = Object.fromEntries(
    Object.entries(query)
      .filter(([, value]) => value !== "")
      .map(([name, value]) => [name, String(value)]),
  );
  const { id } = await call(exportContract.start, { body: { call: spec.path, query: texts } });
  let isEnded = false;
  const end = () => {
    if (isEnded) return;
    isEnded = true;
    // Best effort: the server expires a snapshot that was not ended.
    call(exportContract.end, { params: { id } }).catch(() => {});
  };
  signal.addEventListener("abort", end, { once: true });
  if (signal.aborted) end();

  /** Polls until `isThere` accepts the answer. */
  async function pageWhen(
    page: number,
    pageSize: number,
    isThere: (answer: Awaited<ReturnType<typeof ask>>) => boolean,
  ) {
    for (;;) {
      signal.throwIfAborted();
      const answer = await ask(page, pageSize);
      if (isThere(answer)) return answer;
      if (answer.state === "WAITING") onAhead(answer.ahead);
      const pause = { WAITING: WAITING_MS, READY: RUNNING_MS, RUNNING: RUNNING_MS }[answer.state];
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  const ask = (page: number, pageSize: number) =>
    call(exportContract.page, { params: { id }, query: { page, pageSize } }, { signal });

  try {
    const first = await pageWhen(1, 1, ({ total }) => total !== null);
    const total = first.total ?? 0;
    return {
      total,
      pageSize: exportPageSize(total),
      async fetchPage(page, pageSize) {
        const { list } = await pageWhen(
          page,
          pageSize,
          (answer) => answer.state === "READY" || answer.list.length > 0,
        );
        return { code: 0, data: { list }, errMsg: "" };
      },
      end,
    };
  } catch (error) {
    end();
    throw error;
  }
}
