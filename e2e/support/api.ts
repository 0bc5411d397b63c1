// API calls beside the browser, for steps that a test does not click through.
import { type EndpointSpec, type Reply, urlPath } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "playwright-core";

export interface ApiInput {
  params?: Record<string, string | number>;
  query?: Record<string, string | number>;
  body?: Record<string, unknown>;
  headers?: Record<string, string>;
}

export interface ApiReply<Data> {
  code: number;
  data: Data;
  errMsg: string;
}

export async function callApi<Spec extends EndpointSpec>(
  origin: string,
  spec: Spec,
  { params = {}, query = {}, body, headers }: ApiInput,
): Promise<ApiReply<Reply<Spec>>> {
  const path = urlPath(spec).replace(/\{(\w+)\}/g, (_, name: string) => String(params[name]));
  const url = new URL(path, origin);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  const reply = await fetch(url, {
    method: spec.method,
    headers: { ...headers, ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return (await reply.json()) as ApiReply<Reply<Spec>>;
}

/** Calls with the session that is signed in on this page. */
export async function callApiAs<Spec extends EndpointSpec>(
  page: Page,
  spec: Spec,
  input: ApiInput,
): Promise<ApiReply<Reply<Spec>>> {
  const session = JSON.parse(
    (await page.evaluate("localStorage.getItem('cupboard:auth')")) as string,
  );
  const headers = {
    ...input.headers,
    "auth-token": session.token,
    tenantId: String(session.tenantId),
  };
  return callApi(new URL(page.url()).origin, spec, { ...input, headers });
}
