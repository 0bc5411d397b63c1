// Parts of all screens: buttons, cards, rows, messages and skeletons.
import { type ButtonHTMLAttributes, type ReactNode, useEffect, useRef } from "react";
import { Link } from "wouter";
import type { Failure } from "../kit/api.ts";
import { useFailureText, useTexts } from "../kit/texts.tsx";
import { Icon, type IconName } from "./icon.tsx";

interface ScreenProps {
  title: string;
  back?: string;
  /** `wide`: two columns where there is room. */
  look?: "at-door" | "wide";
  /** A new step of the same screen: the heading is read again. */
  step?: string;
  /** A field of the screen takes the focus instead of the heading: the first thing to do is to type. */
  hasFirstField?: boolean;
  children: ReactNode;
}

/** One screen; its heading takes the focus, so that a screen reader begins there. */
export function Screen({ title, back, look, step, hasFirstField, children }: ScreenProps) {
  const t = useTexts();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = title;
  }, [title]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each screen and step.
  useEffect(() => {
    scrollTo(0, 0);
    if (!hasFirstField) heading.current?.focus({ preventScroll: true });
  }, [step]);
  return (
    <main className={look ? `screen ${look}` : "screen"}>
      <div className="screen-head">
        {back !== undefined && (
          <Link href={back} className="back" aria-label={t("back")}>
            <Icon name="back" />
          </Link>
        )}
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
      </div>
      {children}
    </main>
  );
}

type Look = "main" | "second" | "quiet" | "second small";

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "className"> {
  look?: Look;
  /** Waiting for an answer: pressing again has no effect. */
  isBusy?: boolean;
}

export function Button({ look = "main", isBusy = false, children, onClick, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`button ${look}`}
      aria-disabled={isBusy || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
    >
      {isBusy && <span className="spinner" aria-hidden="true" />}
      <span>{children}</span>
    </button>
  );
}

export function LinkButton(props: { href: string; look?: Look; children: ReactNode }) {
  const { href, look = "main", children } = props;
  return (
    <Link href={href} className={`button ${look}`}>
      {children}
    </Link>
  );
}

export type Tone = "info" | "good" | "warn" | "bad";

/** A message that is read out when it appears. */
export function Message({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <div className={`message ${tone}`} role={tone === "bad" ? "alert" : "status"}>
      {children}
    </div>
  );
}

export function FailureMessage({ failure }: { failure: Failure | null }) {
  const text = useFailureText();
  return failure && <Message tone="bad">{text(failure)}</Message>;
}

interface LoadingProps<Data> {
  from: { data: Data | null; failure: Failure | null; reload: () => void };
  children: (data: Data) => ReactNode;
}

/** Skeleton, failure with a retry, or the data. */
export function Loading<Data>({ from, children }: LoadingProps<Data>) {
  const t = useTexts();
  const { data, failure, reload } = from;
  return (
    <>
      <FailureMessage failure={failure} />
      {failure && (
        <Button look="second" onClick={reload}>
          {t("retry")}
        </Button>
      )}
      {data === null && !failure && (
        <div className="skeleton" role="status">
          <span className="hidden">{t("loading")}</span>
        </div>
      )}
      {data !== null && children(data)}
    </>
  );
}

export function Card({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <section className="card">
      {title !== undefined && <h2>{title}</h2>}
      {children}
    </section>
  );
}

interface RowLinkProps {
  href: string;
  icon: IconName;
  title: string;
  note?: string | undefined;
}

export function RowLink({ href, icon, title, note }: RowLinkProps) {
  return (
    <li>
      <Link href={href} className="row">
        <Icon name={icon} />
        <span className="row-title">{title}</span>
        {note !== undefined && <span className="row-note">{note}</span>}
        <Icon name="next" />
      </Link>
    </li>
  );
}

export function Facts({ list }: { list: readonly (readonly [string, ReactNode] | false)[] }) {
  return (
    <dl className="facts">
      {list.map(
        (each) =>
          each && (
            <div key={each[0]}>
              <dt>{each[0]}</dt>
              <dd>{each[1]}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** Words of the operator or the server, which exist in Chinese alone. */
export function Chinese({ children }: { children: string }) {
  return <span lang="zh-CN">{children}</span>;
}

export function Empty({ icon, children }: { icon: IconName; children: ReactNode }) {
  return (
    <div className="empty">
      <Icon name={icon} />
      <p>{children}</p>
    </div>
  );
}
