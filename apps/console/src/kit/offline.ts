// Reading without a network, for maintenance staff in cellars: files by the service worker, and the
// malfunctions that they saw last.
import { malfunctionContract } from "@cabinet/contract/operations/malfunction/malfunction.contract.ts";
import { whenIdle } from "./idle.ts";
import { callKey, queryClient } from "./query.ts";
import { currentSession } from "./session.ts";

const MAINTENANCE = 2;
const KEY = "cupboard:offline";
const MOST_ANSWERS = 20;
/** Changes in quick succession are written together. */
const SOON_MS = 500;

interface KeptAnswer {
  key: readonly unknown[];
  data: unknown;
  at: number;
}

interface Kept {
  owner: string;
  /** Newest first. */
  answers: KeptAnswer[];
}

const specs = [malfunctionContract.list, malfunctionContract.counts, malfunctionContract.get];
const isKeptCall = (key: readonly unknown[]) =>
  specs.some((spec) => callKey(spec).every((part, index) => part === key[index]));

/** Null for accounts that work at a desk, and while the platform looks at a tenant. */
function ownerOfAnswers(): string | null {
  const session = currentSession();
  if (!session || session.userType !== MAINTENANCE || session.visit) return null;
  return `${session.tenantId}:${session.username}`;
}

function read(owner: string): KeptAnswer[] {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "null") as Kept | null;
    return kept?.owner === owner ? kept.answers : [];
  } catch {
    return [];
  }
}

/** Before the first page is drawn: its calls find these answers, and refresh them if they can. */
export function restoreAnswers(): void {
  const owner = ownerOfAnswers();
  if (owner === null) return;
  for (const { key, data, at } of read(owner)) {
    queryClient.setQueryData(key, data, { updatedAt: at });
    // Refetched, however new: only a failure says that there is no network.
    void queryClient.invalidateQueries({ queryKey: key, exact: true, refetchType: "none" });
  }
}

function keepAnswers(owner: string): void {
  const queries = queryClient.getQueryCache().findAll({ predicate: isKept });
  const fresh = queries.map(({ queryKey, state }) => ({
    key: queryKey,
    data: state.data,
    at: state.dataUpdatedAt,
  }));
  const known = new Set(fresh.map(({ key }) => JSON.stringify(key)));
  const older = read(owner).filter(({ key }) => !known.has(JSON.stringify(key)));
  const answers = [...fresh, ...older].sort((one, other) => other.at - one.at);
  const kept: Kept = { owner, answers: answers.slice(0, MOST_ANSWERS) };
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // No room: without old answers the console works as before.
    forgetAnswers();
  }
}

const isKept = ({ queryKey, state }: { queryKey: readonly unknown[]; state: { data: unknown } }) =>
  state.data !== undefined && isKeptCall(queryKey);

export function forgetAnswers(): void {
  localStorage.removeItem(KEY);
}

/** Used once, by the app: keeps what is read from now on, and the console's files. */
export function keepForOffline(): () => void {
  whenIdle(() => void startWorker());
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = queryClient.getQueryCache().subscribe(({ type, query }) => {
    const owner = ownerOfAnswers();
    if (type !== "updated" || owner === null || !isKept(query)) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (ownerOfAnswers() !== owner) return;
      keepAnswers(owner);
    }, SOON_MS);
  });
  return () => {
    stop();
    clearTimeout(timer);
  };
}

// Absent on plain HTTP other than localhost; the development server has no built files.
const hasWorker = "serviceWorker" in navigator && import.meta.env.PROD;

async function startWorker(): Promise<void> {
  if (ownerOfAnswers() === null || !hasWorker) return;
  await navigator.serviceWorker.register("/service-worker.js");
  const { active } = await navigator.serviceWorker.ready;
  // The worker does not see files that were requested before it served this page.
  const observer = new PerformanceObserver((files) => {
    const urls = files.getEntries().map(({ name }) => name);
    const assets = urls.filter((url) => url.startsWith(`${location.origin}/assets/`));
    // Calls are observed, too: they need not wake the worker.
    if (assets.length > 0) active?.postMessage([`${location.origin}/`, ...assets]);
  });
  observer.observe({ type: "resource", buffered: true });
}
