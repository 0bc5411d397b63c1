// States of a page about the single record in its URL, for when there is no record to show.
import type { ReactNode } from "react";
import { useSearchParams } from "react-router";
import { ApiError } from "../../kit/errors.ts";
import { Link, type Path } from "../../kit/paths.ts";
import { PageCard } from "./page-card.tsx";
import { EmptyState, ErrorState } from "./states.tsx";
import "./basics.css";

/** Id in the URL parameter `name`; null if it is absent or not an id. */
export function useIdParam(name: string): number | null {
  const [params] = useSearchParams();
  const id = Number(params.get(name));
  return Number.isSafeInteger(id) && id >= 1 ? id : null;
}

interface RecordLink {
  hint: ReactNode;
  /** List of all records of this kind. */
  list: { path: Path; title: string };
}

export interface NoRecordProps extends RecordLink {
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

export interface RecordFailureProps extends RecordLink {
  error: Error;
  onRetry: () => void;
}

/** A missing record links back to the list; any other error can be retried. */
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
