// Terms and privacy of the operator: the texts, the box at the sign-in, and the consent to a new version.
import { type ReactNode, useId, useState } from "react";
import { call, type Failure, failureOf } from "../kit/api.ts";
import type { ReplyOf } from "../kit/calls.ts";
import { time } from "../kit/format.ts";
import { usePlace } from "../kit/place.tsx";
import { setConsents, useSession } from "../kit/session.ts";
import { useTexts } from "../kit/texts.tsx";
import { useCall } from "../kit/use-call.ts";
import {
  Button,
  Card,
  FailureMessage,
  LinkButton,
  Loading,
  Message,
  Screen,
} from "../ui/parts.tsx";

export type LegalKind = ReplyOf<"legal">["kind"];

export const LEGAL_KINDS = ["TERMS", "PRIVACY"] as const satisfies readonly LegalKind[];

function LegalText({ kind, title }: { kind: LegalKind; title?: string }) {
  const t = useTexts();
  const tenantCode = usePlace().data?.tenantCode;
  const text = useCall("legal", tenantCode === undefined ? null : { query: { tenantCode, kind } });
  return (
    <Loading from={text}>
      {({ version, publishedAt, body }) => (
        <Card {...(title !== undefined && { title })}>
          <p className="quiet">{t("legal.version", { version, at: time(publishedAt) })}</p>
          <p className="legal-text" lang="zh-CN">
            {body}
          </p>
        </Card>
      )}
    </Loading>
  );
}

export function LegalPage({ kind }: { kind: LegalKind }) {
  const t = useTexts();
  return (
    <Screen title={t(`legal.${kind}`)} back="/me">
      <LegalText kind={kind} />
    </Screen>
  );
}

/** One of the texts above the form, which keeps what was typed. */
export function ReadingPage({ kind, onBack }: { kind: LegalKind; onBack: () => void }) {
  const t = useTexts();
  return (
    <Screen title={t(`legal.${kind}`)}>
      <LegalText kind={kind} />
      <Button onClick={onBack}>{t("back")}</Button>
    </Screen>
  );
}

interface ConsentBoxProps {
  kinds: readonly LegalKind[];
  isTicked: boolean;
  error: string | null;
  onTick: (isTicked: boolean) => void;
  onRead: (kind: LegalKind) => void;
}

/** Not ticked at first: consent is an act of the person. */
export function ConsentBox({ kinds, isTicked, error, onTick, onRead }: ConsentBoxProps) {
  const t = useTexts();
  const id = useId();
  return (
    <div>
      <div className="consent">
        <input
          id={id}
          type="checkbox"
          checked={isTicked}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-note` : undefined}
          onChange={(event) => onTick(event.target.checked)}
        />
        <label htmlFor={id}>{t("legal.agree")}</label>
        {kinds.map((kind) => (
          <button key={kind} type="button" className="link" onClick={() => onRead(kind)}>
            {t("legal.quoted", { title: t(`legal.${kind}`) })}
          </button>
        ))}
      </div>
      {error && (
        <p id={`${id}-note`} className="field-error">
          {error}
        </p>
      )}
    </div>
  );
}

/** Texts in force that the person has not agreed to. */
function useDueTexts(): ReplyOf<"page">["legal"] {
  const agreed = useSession()?.legal ?? [];
  return (usePlace().data?.legal ?? []).filter(
    (text) =>
      !agreed.some(
        ({ kind, version, isOfPlatform, agreedAt }) =>
          kind === text.kind &&
          version === text.version &&
          isOfPlatform === text.isOfPlatform &&
          agreedAt !== null,
      ),
  );
}

/** Asks for the consent to new versions before something new is stored; parcels come out without it. */
export function Consented({ back, children }: { back: string; children: ReactNode }) {
  const t = useTexts();
  const due = useDueTexts();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  if (due.length === 0) return children;

  async function agree() {
    setBusy(true);
    setFailure(null);
    const agreed = due.map(({ kind, version }) => ({ kind, version }));
    try {
      setConsents((await call("agree", { body: { agreed } })).legal);
    } catch (error) {
      setFailure(failureOf(error));
      setBusy(false);
    }
  }

  return (
    <Screen title={t("legal.due")} back={back}>
      <Message tone="info">{t("legal.dueNote")}</Message>
      {due.map(({ kind }) => (
        <LegalText key={kind} kind={kind} title={t(`legal.${kind}`)} />
      ))}
      <FailureMessage failure={failure} />
      <Button isBusy={isBusy} onClick={() => void agree()}>
        {t("legal.go")}
      </Button>
      <LinkButton href={back} look="quiet">
        {t("cancel")}
      </LinkButton>
    </Screen>
  );
}
