// Loads page modules, with a skeleton while loading and an error page on failure.
import { type ComponentType, type Fragment, type ReactNode, useEffect } from "react";
import { useLoaderData, useRevalidator, useRouteError } from "react-router";
import { lateText } from "../kit/late.ts";
import { isServerLost, onNetworkBack } from "../kit/network.ts";
import { CHUNK_LOAD_TIMEOUT_MS } from "../settings.ts";
import "./page-loading.css";

/** A chunk of the console failed to load (specification §8). */
class ChunkLoadError extends Error {
  override name = "ChunkLoadError";
}

/** Resolves with the result of `load`, or rejects after 120 seconds. */
export async function loadChunk<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ChunkLoadError("timeout")), CHUNK_LOAD_TIMEOUT_MS);
  });
  try {
    return await Promise.race([load(), late]);
  } catch (error) {
    throw error instanceof ChunkLoadError ? error : new ChunkLoadError(String(error));
  } finally {
    clearTimeout(timer);
  }
}

/** Result of a page route's loader. */
export interface LoadedPage {
  key: string;
  /** Providers around the page; identical for neighbouring pages, so that they stay mounted. */
  Frame: typeof Fragment | ComponentType<{ children: ReactNode }>;
  Page: ComponentType;
}

export function LoadedPageView() {
  const { key, Frame, Page } = useLoaderData<LoadedPage>();
  return (
    <Frame>
      <Page key={key} />
    </Frame>
  );
}

/**
 * Shown instead of a page that failed to load or render. Reloading also fetches the newest version.
 */
export function PageFailure() {
  const error = useRouteError();
  const isChunk = error instanceof ChunkLoadError;
  if (isChunk && isServerLost()) return <PageWithoutNetwork />;
  return (
    <section className="page-message" role="alert">
      <h2>{isChunk ? "页面加载失败" : "页面出错了"}</h2>
      <p>
        {isChunk
          ? "网络不稳定，或系统刚刚更新：请重新加载。如仍失败，请在浏览器的广告拦截扩展中放行本站。"
          : "这不是您的操作造成的。重新加载后请再试一次，如仍出现请联系客服。"}
      </p>
      <button
        type="button"
        className="shell-button"
        data-kind="primary"
        onClick={() => location.reload()}
      >
        重新加载
      </button>
    </section>
  );
}

/** Without a network a reload would end the console. */
function PageWithoutNetwork() {
  const { revalidate, state } = useRevalidator();
  const { title, hint } = lateText.offline;
  useEffect(() => onNetworkBack(() => void revalidate()), [revalidate]);
  return (
    <section className="page-message" role="alert">
      <h2>{title}</h2>
      <p>{hint}</p>
      <button
        type="button"
        className="shell-button"
        data-kind="primary"
        disabled={state !== "idle"}
        onClick={() => void revalidate()}
      >
        重试
      </button>
    </section>
  );
}

/** For the first page only: later the previous page stays until the next one has loaded. */
export function PageSkeleton() {
  return (
    <div className="page-skeleton" role="status">
      <span className="visually-hidden">正在加载…</span>
      <span />
      <span />
      <span />
    </div>
  );
}
