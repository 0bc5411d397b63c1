// States of a page about the single record in its URL, for when there is no record to show.
import type { EndpointSpec, Reply } from "@cabinet/contract/kit/endpoint.ts";
import type { ReactNode } from "react";
import { useSearchParams } from "react-router";
import type { TObject } from "typebox";
import type { CallInput } from "../../kit/api.ts";
import { ApiError } from "../../kit/errors.ts";
import { Link, type Path } from "../../kit/paths.ts";
import { useCall } from "../../kit/query.ts";
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

type RecordSpec = EndpointSpec & { params: TObject };

interface EditPageProps<Spec extends RecordSpec> extends Pick<RecordLink, "list"> {
  /** Kind of record, such as 门店. */
  noun: string;
  /** Returns the record with `params.id`. */
  spec: Spec;
  create: ReactNode;
  edit: (record: Reply<Spec>) => ReactNode;
}

const GONE_HINT = "可能已被删除，或属于其他租户。";

/** Page that edits the record of `?id=`; without `id` it creates one. */
export function EditPage<Spec extends RecordSpec>(props: EditPageProps<Spec>) {
  const [params] = useSearchParams();
  const id = useIdParam("id");
  if (!params.has("id")) return props.create;
  if (id === null) {
    return <NoRecord title={`没有指定${props.noun}`} hint={GONE_HINT} list={props.list} />;
  }
  return <OneRecord key={id} id={id} {...props} />;
}

function OneRecord<Spec extends RecordSpec>(props: EditPageProps<Spec> & { id: number }) {
  const { id, spec, list, edit } = props;
  const input = { params: { id } } as CallInput<EndpointSpec>;
  const answer = useCall<EndpointSpec>(spec, input, { staleTime: 0 });
  // Wait for a fetch after mount: cached data from another page may be older than the record is.
  if (answer.data && answer.isFetchedAfterMount) return edit(answer.data as Reply<Spec>);
  if (!answer.error) return <RecordLoading />;
  const retry = () => void answer.refetch();
  return <RecordFailure error={answer.error} hint={GONE_HINT} list={list} onRetry={retry} />;
}

const LINES = Array.from({ length: 8 }, (_, index) => index);

export function LoadingLines() {
  return (
    <div className="ui-record-loading" role="status" aria-label="正在加载" aria-busy="true">
      {LINES.map((index) => (
        <span key={index} className="ui-skeleton" />
      ))}
    </div>
  );
}

export function RecordLoading() {
  return (
    <PageCard className="ui-card-full">
      <LoadingLines />
    </PageCard>
  );
}
