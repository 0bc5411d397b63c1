// Reports errors of the console's own program to the server: a few for each page load, without personal data.
import type {
  ClientErrorKind,
  clientErrorContract,
} from "@cabinet/contract/operations/client-error/client-error.contract.ts";
import { sessionHeaders } from "./api.ts";
import { clientErrorOf } from "./client-error.rules.ts";
import { ApiError } from "./errors.ts";
import { currentToken } from "./session.ts";

const PATH: (typeof clientErrorContract)["report"]["path"] = "/admin/v1/client-error/report";
const MOST = 5;
const reported = new Set<string>();

export function reportClientError(kind: ClientErrorKind, error: unknown): void {
  console.error(error);
  // Failed calls and files are told where they are made, and nobody vouches for a page without a session.
  if (!(error instanceof Error) || error instanceof ApiError || currentToken() === null) return;
  const { version = "" } = document.documentElement.dataset;
  const body = JSON.stringify({ kind, version, path: location.pathname, ...clientErrorOf(error) });
  if (reported.size === MOST || reported.has(body)) return;
  reported.add(body);
  const headers = { ...sessionHeaders(), "content-type": "application/json" };
  void fetch(`/api${PATH}`, { method: "POST", headers, body, keepalive: true }).catch(() => null);
}

export function reportUncaughtErrors(): void {
  window.addEventListener("error", ({ error }) => {
    if (error) reportClientError("UNCAUGHT", error);
  });
  window.addEventListener("unhandledrejection", ({ reason }) =>
    reportClientError("UNCAUGHT", reason),
  );
}
