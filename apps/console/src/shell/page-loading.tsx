// How a page comes on screen: loaded when first visited, with a friendly way on when that fails.
import { Component, type ComponentType, type ErrorInfo, lazy, type ReactNode } from "react";
import { CHUNK_LOAD_TIMEOUT_MS } from "../settings.ts";
import "./page-loading.css";

/** A part of the console did not arrive (specification §8). */
class ChunkLoadError extends Error {
  override name = "ChunkLoadError";
}

/** Gives what `load` brings, or fails after 120 seconds. */
async function loadChunk<Loaded>(load: () => Promise<Loaded>): Promise<Loaded> {
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

export interface PageModule {
  default: ComponentType;
}

export function lazyPage(load: () => Promise<PageModule>): ComponentType {
  return lazy(() => loadChunk(load));
}

interface BoundaryProps {
  /** A change of it tries again: another page is on screen. */
  resetKey: string;
  children: ReactNode;
}

interface BoundaryState {
  error: unknown;
  resetKey: string;
}

export class PageBoundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { error: null, resetKey: this.props.resetKey };

  static getDerivedStateFromError(error: unknown): Partial<BoundaryState> {
    return { error };
  }

  static getDerivedStateFromProps(
    { resetKey }: BoundaryProps,
    state: BoundaryState,
  ): Partial<BoundaryState> | null {
    return resetKey === state.resetKey ? null : { resetKey, error: null };
  }

  override componentDidCatch(error: unknown, { componentStack }: ErrorInfo): void {
    console.error(error, componentStack);
  }

  override render(): ReactNode {
    const { error } = this.state;
    return error === null ? this.props.children : <PageFailure error={error} />;
  }
}

/** Reloading also brings the newest version, of which an old page's parts may be gone. */
function PageFailure({ error }: { error: unknown }) {
  const isChunk = error instanceof ChunkLoadError;
  return (
    <section className="page-message" role="alert">
      <h2>{isChunk ? "页面没有加载成功" : "页面出错了"}</h2>
      <p>
        {isChunk
          ? "网络不稳定，或系统刚刚更新。重新加载后即可继续。"
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

/** Only where nothing is on screen yet; else the last page stays until the next one is there. */
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
