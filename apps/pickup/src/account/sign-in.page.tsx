// Sign-in by text message: phone, code; the first sign-in opens an account.
import { isPhone } from "@cabinet/contract/kit/phone.rules.ts";
import { fittingCode } from "@cabinet/contract/kit/text.rules.ts";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { Redirect, useLocation, useSearchParams } from "wouter";
import { call, type Failure, failureOf, solvedCaptcha } from "../kit/api.ts";
import type { ReplyOf } from "../kit/calls.ts";
import { clock } from "../kit/format.ts";
import { usePlace } from "../kit/place.tsx";
import { beginSession, useSession } from "../kit/session.ts";
import { kept } from "../kit/storage.ts";
import { useTexts } from "../kit/texts.tsx";
import { Field } from "../ui/field.tsx";
import { Button, FailureMessage, Message, Screen } from "../ui/parts.tsx";
import { ConsentBox, type LegalKind, ReadingPage } from "./legal.tsx";

/** Only paths of this page: a link must not lead away after the sign-in. */
const isOwnPath = (path: string) => /^\/(?!\/)[\w/?=&-]*$/.test(path);

export function SignInPage() {
  const t = useTexts();
  const { data: place, isUnknown } = usePlace();
  const session = useSession();
  const [search] = useSearchParams();
  const to = search.get("to") ?? "/me";
  const target = isOwnPath(to) ? to : "/me";
  const [reading, setReading] = useState<LegalKind | null>(null);
  if (isUnknown) return <Redirect href="/" replace />;
  if (session) return <Redirect href={target} replace />;
  return (
    <>
      {reading && <ReadingPage kind={reading} onBack={() => setReading(null)} />}
      <div className="covered" hidden={reading !== null}>
        <Screen title={t("signIn.title")} back={/^\/c\/\w+/.exec(target)?.[0] ?? "/"} hasFirstField>
          <p className="quiet">{t("signIn.note", { tenant: place?.tenantName ?? "" })}</p>
          {place && !place.isSmsSignInPossible && (
            <Message tone="warn">{t("signIn.noSms")}</Message>
          )}
          {place && <SignInForm place={place} target={target} onRead={setReading} />}
        </Screen>
      </div>
    </>
  );
}

/** Seconds until `at`, counted down. */
function useSecondsUntil(at: number): number {
  const [now, setNow] = useState(Date.now);
  const left = Math.max(0, Math.ceil((at - now) / 1000));
  useEffect(() => {
    if (left === 0) return;
    const timer = setTimeout(() => setNow(Date.now()), 1_000);
    return () => clearTimeout(timer);
  });
  return left;
}

const CODE = /^\d{6}$/;

/** The code on its way: a person who looked at the message comes back to a page that may have been reloaded. */
interface SentCode {
  tenantId: number;
  phone: string;
  requestToken: string;
  validUntil: number;
  againAt: number;
}

const sentCode = kept<SentCode | null>("session", "code", null);

/** The code that this tab requested at the tenant and that is still valid. */
function sentOf(tenantId: number): SentCode | null {
  const sent = sentCode.get();
  return sent?.tenantId === tenantId && sent.validUntil > Date.now() ? sent : null;
}

interface SignInFormProps {
  place: ReplyOf<"page">;
  target: string;
  onRead: (kind: LegalKind) => void;
}

function SignInForm({ place: { tenantId, legal }, target, onRead }: SignInFormProps) {
  const t = useTexts();
  const [, go] = useLocation();
  sentCode.use();
  const sent = sentOf(tenantId);
  const [phone, setPhone] = useState(sent?.phone ?? "");
  // A code on its way was requested with the box ticked.
  const [isTicked, setTicked] = useState(sent !== null);
  const [typedCode, setTypedCode] = useState("");
  const lastTried = useRef("");
  const [busy, setBusy] = useState<"code" | "signIn" | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [isTried, setTried] = useState<"code" | "signIn" | null>(null);
  const wait = useSecondsUntil(sent?.againAt ?? 0);
  const isRightPhone = isPhone(phone);
  const code = fittingCode(typedCode, CODE);
  const isCode = CODE.test(code);
  const isConsentMissing = legal.length > 0 && !isTicked;

  async function run(what: "code" | "signIn", work: () => Promise<void>) {
    setBusy(what);
    setFailure(null);
    try {
      await work();
    } catch (error) {
      setFailure(failureOf(error));
    }
    setBusy(null);
  }

  function requestCode() {
    setTried("code");
    if (!isRightPhone || isConsentMissing) return;
    void run("code", async () => {
      const headers = await solvedCaptcha();
      const reply = await call("requestCode", { body: { tenantId, phone } }, { headers });
      const { requestToken, validSeconds, againSeconds } = reply;
      const now = Date.now();
      const [validUntil, againAt] = [now + validSeconds * 1_000, now + againSeconds * 1_000];
      lastTried.current = "";
      setTypedCode("");
      sentCode.set({ tenantId, phone, requestToken, validUntil, againAt });
    });
  }

  function signIn(code: string) {
    if (!sent || !isRightPhone || isConsentMissing || !CODE.test(code)) return;
    lastTried.current = code;
    const agreed = legal.map(({ kind, version }) => ({ kind, version }));
    const body = { tenantId, phone, code, requestToken: sent.requestToken, agreed };
    void run("signIn", async () => {
      beginSession(await call("signIn", { body }));
      sentCode.set(null);
      go(target, { replace: true });
    });
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!sent) return requestCode();
    setTried("signIn");
    signIn(code);
  }

  /** The last digit signs in; a code that was refused waits for the button. */
  function typeCode(value: string) {
    setTypedCode(value);
    const code = fittingCode(value, CODE);
    if (CODE.test(code) && code !== lastTried.current && busy === null) signIn(code);
  }

  return (
    <form className="form" onSubmit={submit} noValidate>
      <Field
        label={t("phone.label")}
        error={isTried && !isRightPhone ? t("phone.wrong") : null}
        type="tel"
        inputMode="tel"
        autoComplete="tel"
        isFirst={!sent}
        value={phone}
        onChange={(value) => {
          setPhone(value);
          // The code is valid for the phone that it was sent to.
          sentCode.set(null);
        }}
      />
      {sent && (
        <Field
          label={t("signIn.code")}
          hint={t("signIn.sent", { until: clock(sent.validUntil) })}
          error={isTried === "signIn" && !isCode ? t("signIn.codeWrong") : null}
          inputMode="numeric"
          autoComplete="one-time-code"
          isFirst
          value={typedCode}
          onChange={typeCode}
        />
      )}
      {legal.length > 0 && (
        <ConsentBox
          kinds={legal.map(({ kind }) => kind)}
          isTicked={isTicked}
          error={isTried && isConsentMissing ? t("legal.missing") : null}
          onTick={setTicked}
          onRead={onRead}
        />
      )}
      <FailureMessage failure={failure} />
      {sent && (
        <Button type="submit" isBusy={busy === "signIn"}>
          {t("signIn.go")}
        </Button>
      )}
      <Button
        type={sent ? "button" : "submit"}
        look={sent ? "quiet" : "main"}
        isBusy={busy === "code"}
        disabled={wait > 0}
        onClick={sent ? requestCode : undefined}
      >
        {wait > 0 ? t("signIn.again", { seconds: wait }) : t("signIn.request")}
      </Button>
    </form>
  );
}
