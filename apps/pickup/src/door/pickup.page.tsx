// Picking up by code and the end of the phone, without an account; a fee is paid signed in.
import { fenOfYuan } from "@cabinet/contract/kit/money.rules.ts";
import { normalizePhone } from "@cabinet/contract/kit/phone.rules.ts";
import { fittingCode } from "@cabinet/contract/kit/text.rules.ts";
import { type FormEvent, useRef, useState } from "react";
import { Redirect, useLocation } from "wouter";
import { isOffline, OfflineNotice } from "../cabinet/offline.tsx";
import { type Failure, Refusal } from "../kit/api.ts";
import { money } from "../kit/format.ts";
import { usePlace } from "../kit/place.tsx";
import { useSession } from "../kit/session.ts";
import { kept } from "../kit/storage.ts";
import { useTexts } from "../kit/texts.tsx";
import { useCall } from "../kit/use-call.ts";
import { Field } from "../ui/field.tsx";
import { Button, Card, FailureMessage, LinkButton, RowLink, Screen } from "../ui/parts.tsx";
import { forgetIntention, isInDoubt, isUnanswered, requestDoor } from "./intention.ts";

export function PickupPage({ sn }: { sn: string }) {
  const t = useTexts();
  const { isEntered } = usePlace();
  const session = useSession();
  const [isInterrupted] = useState(isUnanswered);
  if (isInterrupted) return <Redirect href="/door" replace />;
  return (
    <Screen title={t("pickup.title")} back={`/c/${sn}`} hasFirstField={!session}>
      {isEntered && <OwnParcels sn={sn} />}
      <CodeForm sn={sn} />
    </Screen>
  );
}

function OwnParcels({ sn }: { sn: string }) {
  const t = useTexts();
  const session = useSession();
  const query = { role: "RECIPIENT", isLive: true, page: 1, pageSize: 50 } as const;
  const { data } = useCall("list", session && { query });
  if (!session) return null;
  const here = data?.list.filter(({ cabinetSn }) => cabinetSn === sn) ?? [];
  return (
    <Card title={t("pickup.yours")}>
      {data && here.length === 0 && (
        <p className="quiet">{t("pickup.noneFor", { phone: session.phone })}</p>
      )}
      <ul className="rows">
        {here.map(({ id, no, itemNote, state }) => (
          <RowLink
            key={id}
            href={`/parcels/${id}`}
            icon="pickup"
            title={t("compartment", { no })}
            note={itemNote || t(`order.${state}`)}
          />
        ))}
      </ul>
    </Card>
  );
}

/** The amount in `PAYMENT_UNAGREED`, for somebody who has the code of another person's parcel. */
function unagreedFen(failure: Failure | null): number | null {
  if (!(failure instanceof Refusal) || failure.code !== "PAYMENT_UNAGREED") return null;
  return fenOfYuan(/([\d.]+) 元/.exec(failure.message)?.[1] ?? "");
}

/** Typed so far: still there after a sign-in, a top-up or a reload. */
const draft = kept("session", "pickup", { sn: "", code: "", tail: "" });

const CODE = /^\d{6}$/;
const TAIL = /^(\d{4}|\d{11})$/;

function CodeForm({ sn }: { sn: string }) {
  const t = useTexts();
  const [, go] = useLocation();
  const session = useSession();
  const cabinet = useCall("cabinet", { params: { sn } });
  const stored = draft.use();
  const typed = stored.sn === sn ? stored : { sn, code: "", tail: "" };
  const tail = useRef<HTMLInputElement>(null);
  const [isBusy, setBusy] = useState(false);
  const [isTried, setTried] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [agreed, setAgreed] = useState<{ agreedFen: number; afterDoubt?: true }>({ agreedFen: 0 });
  const code = fittingCode(typed.code, CODE);
  const phoneTail = fittingCode(normalizePhone(typed.tail), TAIL);
  const isCode = CODE.test(code);
  const isTail = TAIL.test(phoneTail);

  async function open(agreed: { agreedFen: number; afterDoubt?: true }) {
    setTried(true);
    if (!isCode || !isTail) return;
    setBusy(true);
    setFailure(null);
    setAgreed(agreed);
    const body = { sn, code, phoneTail, ...agreed };
    const outcome = await requestDoor({ call: "pickupByCode", input: { body } }, sn);
    setBusy(false);
    if (!(outcome instanceof Refusal)) {
      draft.set({ sn, code: "", tail: "" });
      return go("/door");
    }
    forgetIntention();
    setFailure(outcome);
  }

  /** The last digit of the code leads on to the phone. */
  function typeCode(value: string) {
    draft.set({ ...typed, code: value });
    if (CODE.test(fittingCode(value, CODE)) && !isCode && !isTail) tail.current?.focus();
  }

  const submit = (event: FormEvent) => {
    event.preventDefault();
    void open({ agreedFen: 0 });
  };
  const isOf = (code: string) => failure instanceof Refusal && failure.code === code;
  const owes = isOf("ORDER_OWES");
  const priceFen = unagreedFen(failure);
  return (
    <Card title={t("pickup.byCode")}>
      <form onSubmit={submit} noValidate>
        <Field
          label={t("pickup.code")}
          hint={t("pickup.codeHint")}
          error={isTried && !isCode ? t("pickup.codeWrong") : null}
          inputMode="numeric"
          autoComplete="one-time-code"
          isFirst={!session}
          value={typed.code}
          onChange={typeCode}
        />
        <Field
          label={t(isOf("PICKUP_PHONE_DUE") ? "pickup.phone" : "pickup.tail")}
          error={isTried && !isTail ? t("pickup.tailWrong") : null}
          inputMode="numeric"
          autoComplete="off"
          ref={tail}
          value={typed.tail}
          onChange={(value) => draft.set({ ...typed, tail: value })}
        />
        <FailureMessage failure={failure} />
        {isOffline(cabinet) ? (
          <OfflineNotice cabinet={cabinet} />
        ) : (
          <>
            {owes && (
              <LinkButton href={`/sign-in?to=/c/${sn}/pickup`}>{t("pickup.payTo")}</LinkButton>
            )}
            {isInDoubt(failure) && (
              <Button isBusy={isBusy} onClick={() => void open({ ...agreed, afterDoubt: true })}>
                {t("door.openAfterDoubt")}
              </Button>
            )}
            {priceFen !== null && (
              <Button isBusy={isBusy} onClick={() => void open({ ...agreed, agreedFen: priceFen })}>
                {t("pickup.payAndOpen", { price: money(priceFen) })}
              </Button>
            )}
            <Button
              type="submit"
              isBusy={isBusy}
              look={owes || priceFen !== null || isInDoubt(failure) ? "second" : "main"}
            >
              {t("pickup.open")}
            </Button>
          </>
        )}
      </form>
      {!session && !owes && (
        <LinkButton href={`/sign-in?to=/c/${sn}/pickup`} look="quiet">
          {t("pickup.signIn")}
        </LinkButton>
      )}
    </Card>
  );
}
