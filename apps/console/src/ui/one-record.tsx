// A page about the one record that its address names: what stands there while there is none to show.
import type { ReactNode } from "react";
import { Link, useSearchParams } from "react-router";
import { ApiError } from "../kit/errors.ts";
import { PageCard } from "./page-card.tsx";
import { EmptyState, ErrorState } from "./states.tsx";
import "./basics.css";

/** What the address gives under this name; null when it gives nothing, or no id. */
export function useIdParam(name: string): number | null {
  const [params] = useSearchParams();
  const id = Number(params.get(name));
  return Number.isSafeInteger(id) && id >= 1 ? id : null;
}

interface Way {
  hint: ReactNode;
  /** Where all of them are. */
  list: { path: string; title: string };
}

export interface NoRecordProps extends Way {
  title: string;
}

export function NoRecord({ title, hint, list }: NoRecordProps) {
  return (
    <PageCard className="ui-card-full">
      <EmptyState title={title} hint={hint}>
        <Link className="ui-link" to={list.path}>
          返回{list.title}
        </Link>
      </EmptyState>
    </PageCard>
  );
}

export interface RecordFailureProps extends Way {
  error: Error;
  onRetry: () => void;
}

/** One that is not there leads back to the others; whatever else failed may be tried again. */
export function RecordFailure({ error, onRetry, ...way }: RecordFailureProps) {
  if (error instanceof ApiError && error.kind === "refused") {
    return <NoRecord title={error.message} {...way} />;
  }
  return (
    <PageCard className="ui-card-full">
      <ErrorState error={error} onRetry={onRetry} />
    </PageCard>
  );
}

const LINES = Array.from({ length: 8 }, (_, index) => index);

export function RecordLoading() {
  return (
    <PageCard className="ui-card-full">
      <div className="ui-record-loading" role="status" aria-label="正在加载" aria-busy="true">
        {LINES.map((index) => (
          <span key={index} className="ui-skeleton" />
        ))}
      </div>
    </PageCard>
  );
}
