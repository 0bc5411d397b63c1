// Empty and error states shown in place of content.
import { type ReactNode, useState } from "react";
import { ApiError } from "../../kit/errors.ts";
import { Button } from "./button.tsx";
import "./basics.css";
import "./states.css";

export interface EmptyStateProps {
  title?: string;
  hint?: ReactNode;
  children?: ReactNode;
}

export function EmptyState({ title = "暂无数据", hint, children }: EmptyStateProps) {
  return (
    <div className="ui-state">
      <svg className="ui-state-picture" viewBox="0 0 64 48" aria-hidden="true">
        <path d="M14 6h36v36H14zM32 6v36M14 18h18M14 30h18M32 24h18M27 12v.1M27 24v.1M27 36v.1M37 15v.1M37 33v.1" />
      </svg>
      <p className="ui-state-title">{title}</p>
      {hint && <p className="ui-state-hint">{hint}</p>}
      {children}
    </div>
  );
}

export interface ErrorStateProps {
  error: Error;
  /** A promise keeps the button busy, so that a second failure is seen to be one. */
  onRetry: () => unknown;
}

export interface FailureStateProps {
  title: string;
  hint: string;
  /** Label of the button. */
  remedy?: string;
  onRetry: ErrorStateProps["onRetry"];
}

/** Something is missing here, and may be tried again. */
export function FailureState({ title, hint, remedy = "重试", onRetry }: FailureStateProps) {
  const [isBusy, setIsBusy] = useState(false);
  const retry = async () => {
    setIsBusy(true);
    await onRetry();
    setIsBusy(false);
  };
  return (
    <div className="ui-state" role="alert">
      <svg
        className="ui-state-picture ui-state-picture-error"
        viewBox="0 0 64 48"
        aria-hidden="true"
      >
        <path d="M32 6 54 42H10zM32 19v11M32 35.500v.1" />
      </svg>
      <p className="ui-state-title">{title}</p>
      <p className="ui-state-hint">{hint}</p>
      <Button loading={isBusy} onClick={() => void retry()}>
        {remedy}
      </Button>
    </div>
  );
}

/**
 * Shows the error of the server or network. On 403 there is no retry button: retrying cannot help.
 */
export function ErrorState({ error, onRetry }: ErrorStateProps) {
  if (error instanceof ApiError && error.status === 403) {
    return <EmptyState title={error.message} hint="需要查看时，请联系管理员在角色中开通" />;
  }
  return <FailureState title="加载失败，请重试" hint={error.message} onRetry={onRetry} />;
}

export interface AnswerStateProps {
  answer: { error: Error | null; refetch: () => unknown };
}

/** Loading or error state of an answer that is not available. */
export function AnswerState({ answer: { error, refetch } }: AnswerStateProps) {
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return <output className="ui-cell-none">正在加载…</output>;
}
