// File uploads and downloads: calls with a binary body or answer, with progress and cancellation.
import { type EndpointSpec, type Reply, urlPath } from "@cabinet/contract/kit/endpoint.ts";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { dataOf, missKind, sessionHeaders } from "./api.ts";
import { failureOf } from "./errors.ts";
import { hear, missAnswer } from "./network.ts";
import { callKey } from "./query.ts";
import { requestPath } from "./request.rules.ts";
import { currentToken } from "./session.ts";

/** Timeout without any progress. */
const STALLED_MS = 30_000;

/** Call with a file in its body. */
export type UploadSpec = EndpointSpec & { bodyForm: "multipart" };

export interface UploadOptions {
  signal: AbortSignal;
  /** From 0 to 1; at 1 the server is still processing the file. */
  onProgress: (part: number) => void;
}

/** Uploads the file and returns the call's data; throws every failure as an `ApiError`. */
export function uploadFile<Spec extends UploadSpec>(
  spec: Spec,
  { file, fields }: { file: File; fields: Readonly<Record<string, string | number | undefined>> },
  { signal, onProgress }: UploadOptions,
): Promise<Reply<Spec>> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) form.append(name, String(value));
  }
  // After the fields, so that the server knows them while it receives the file.
  form.append("file", file);
  const token = currentToken();
  // fetch has no upload progress.
  const request = new XMLHttpRequest();
  return new Promise((resolve, reject) => {
    const sentAt = Date.now();
    const fail = (kind: ReturnType<typeof missKind> | "aborted") =>
      // Half a file has no effect: only without a network is there more to say than that it failed.
      reject(failureOf({ kind, status: 0, isWrite: kind === "offline" }, token));
    let isStalled = false;
    let stalled: ReturnType<typeof setTimeout>;
    const watch = () => {
      clearTimeout(stalled);
      stalled = setTimeout(() => {
        isStalled = true;
        request.abort();
      }, STALLED_MS);
    };
    const cancel = () => request.abort();
    signal.addEventListener("abort", cancel);
    request.upload.addEventListener("progress", ({ loaded, total }) => {
      watch();
      onProgress(total > 0 ? loaded / total : 0);
    });
    request.addEventListener("loadend", () => {
      clearTimeout(stalled);
      signal.removeEventListener("abort", cancel);
    });
    request.addEventListener("error", () => {
      missAnswer(sentAt);
      fail(missKind(sentAt, false));
    });
    request.addEventListener("abort", () => fail(isStalled ? "timeout" : "aborted"));
    request.addEventListener("load", () => {
      hear();
      const { status, statusText, responseText: text } = request;
      const requestId = request.getResponseHeader("x-request-id");
      try {
        resolve(dataOf({ status, statusText, requestId, text }, token) as Reply<Spec>);
      } catch (error) {
        reject(error);
      }
    });
    request.open(spec.method, urlPath(spec));
    for (const [name, value] of Object.entries(sessionHeaders())) {
      request.setRequestHeader(name, value);
    }
    watch();
    if (signal.aborted) fail("aborted");
    else request.send(form);
  });
}

/** Call that answers with a stored file. */
export type FileSpec = EndpointSpec & { replyForm: "file" };

type FileParams = Readonly<Record<string, string | number>>;

export async function fetchFile(
  spec: FileSpec,
  params: FileParams,
  signal: AbortSignal,
): Promise<Blob> {
  const token = currentToken();
  const sentAt = Date.now();
  let response: Response;
  try {
    response = await fetch(requestPath(urlPath(spec), params), {
      headers: sessionHeaders(),
      signal,
    });
    hear();
    if (!response.headers.get("content-type")?.includes("json")) return await response.blob();
  } catch {
    if (!signal.aborted) missAnswer(sentAt);
    throw failureOf({ kind: "network", status: 0 }, token);
  }
  const { status, statusText, headers } = response;
  const requestId = headers.get("x-request-id");
  dataOf({ status, statusText, requestId, text: await response.text() }, token);
  throw failureOf({ kind: "network", status: 0 }, token);
}

/**
 * Blob URL of a stored file for `<img>` and `<video>`, which cannot send the session's headers;
 * valid while the component is mounted. Null while loading.
 */
export function useFileUrl(
  spec: FileSpec,
  params: FileParams | null,
): { url: string | null; error: Error | null } {
  const { data, error } = useQuery({
    queryKey: [...callKey(spec), params],
    queryFn: ({ signal }) => fetchFile(spec, params ?? {}, signal),
    enabled: params !== null,
    // A stored file's content never changes: no write refetches it.
    staleTime: "static",
  });
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!data) return;
    const made = URL.createObjectURL(data);
    setUrl(made);
    return () => {
      URL.revokeObjectURL(made);
      setUrl(null);
    };
  }, [data]);
  return { url, error };
}
