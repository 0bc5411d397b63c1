// Components that load when they are first shown: a failed load is shown in their own place, and never takes the page.
import {
  type ComponentType,
  type FunctionComponent,
  type ReactNode,
  useEffectEvent,
  useLayoutEffect,
  useState,
} from "react";
import { confirm } from "../../kit/feedback.ts";
import {
  type Late,
  type LateFailure,
  type LateState,
  late,
  lateText,
  useLate,
} from "../../kit/late.ts";
import { Button } from "./button.tsx";
import { FailureState } from "./states.tsx";
import { useEver } from "./use-last.ts";

type Load<Props> = () => Promise<ComponentType<Props>>;
type LateComponent<Props> = FunctionComponent<Props> & Pick<Late<unknown>, "load">;

interface LatePartOptions {
  waiting?: ReactNode;
  /** In a line with other things: one line says that it failed. */
  isInline?: boolean;
}

/** Part of a page. */
export function latePart<Props extends object>(
  load: Load<Props>,
  options: LatePartOptions = {},
): LateComponent<Props> {
  const part = late(load);
  return Object.assign((props: Props) => <LatePart {...{ part, props, ...options }} />, {
    load: part.load,
  });
}

interface FailedProps extends Pick<LateState<unknown>, "retry"> {
  failure: LateFailure;
}

interface LateProps<Props> {
  part: Late<ComponentType<Props>>;
  props: Props;
}

function LatePart<Props extends object>({
  part,
  props,
  waiting = null,
  isInline = false,
}: LateProps<Props> & LatePartOptions) {
  const { module: Part, failure, retry } = useLate(part);
  if (Part) return <Part {...props} />;
  if (!failure) return waiting;
  if (isInline) return <LateLine failure={failure} retry={retry} />;
  return <FailureState {...lateText[failure]} onRetry={retry} />;
}

/** The same in one line. */
export function LateLine({ failure, retry }: FailedProps) {
  const { title, hint, remedy } = lateText[failure];
  return (
    <span className="ui-late-line" role="alert" title={hint}>
      <span>{title}</span>
      <Button size="small" onClick={() => void retry()}>
        {remedy}
      </Button>
    </span>
  );
}

/** Dialog or drawer; `closeOf` returns how it is closed, or null while it is. */
export function lateDialog<Props extends object>(
  load: Load<Props>,
  closeOf: (props: Props) => (() => void) | null,
): LateComponent<Props> {
  const part = late(load);
  return Object.assign(
    (props: Props) => <LateDialog {...{ part, props }} close={closeOf(props)} />,
    { load: part.load },
  );
}

function LateDialog<Props extends object>({
  part,
  props,
  close,
}: LateProps<Props> & { close: (() => void) | null }) {
  const isDue = useEver(close !== null);
  const { module: Part, failure, retry } = useLate(part, close !== null);
  if (Part) return isDue && <Part {...props} />;
  return failure && close && <LateQuestion {...{ failure, retry, close }} />;
}

/** Stands for a dialog that has not loaded; goes by itself when that has. */
function LateQuestion({ failure, retry, close }: FailedProps & { close: () => void }) {
  const [round, setRound] = useState(0);
  const ask = useEffectEvent(async (signal: AbortSignal) => {
    const { title, hint, remedy } = lateText[failure];
    const buttons = { ok: remedy, cancel: "关闭" };
    const isAgreed = await confirm({ title, content: hint, ...buttons, signal });
    if (signal.aborted) return;
    if (!isAgreed) close();
    else if (!(await retry())) setRound(round + 1);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: asks anew after each retry that failed.
  useLayoutEffect(() => {
    const gone = new AbortController();
    void ask(gone.signal);
    return () => gone.abort();
  }, [round]);
  return null;
}
