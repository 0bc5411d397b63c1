// Storing a parcel: size, recipient and what it costs; sending it opens a door.
import { isPhone } from "@cabinet/contract/kit/phone.rules.ts";
import type { Size } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import { type FormEvent, useState } from "react";
import { Redirect, useLocation } from "wouter";
import { type Failure, Refusal } from "../kit/api.ts";
import type { ReplyOf } from "../kit/calls.ts";
import { groupedPhone } from "../kit/format.ts";
import { kept } from "../kit/storage.ts";
import { useTexts } from "../kit/texts.tsx";
import { useCall } from "../kit/use-call.ts";
import { Choice, Field } from "../ui/field.tsx";
import { Button, Chinese, FailureMessage, Loading, Message, Screen } from "../ui/parts.tsx";
import { forgetIntention, isUnanswered, requestDoor } from "./intention.ts";

/** Typed so far: still there when the parcel did not fit and another size is chosen. */
const draft = kept("session", "draft", { recipientPhone: "", itemNote: "" });

export function StorePage({ sn }: { sn: string }) {
  const t = useTexts();
  const cabinet = useCall("cabinet", { params: { sn } });
  const [isInterrupted] = useState(isUnanswered);
  if (isInterrupted) return <Redirect href="/door" replace />;
  return (
    <Screen title={t("store.title")} back={`/c/${sn}`}>
      <Loading from={cabinet}>
        {(data) => <StoreForm cabinet={data} reload={cabinet.reload} />}
      </Loading>
    </Screen>
  );
}

interface StoreFormProps {
  cabinet: ReplyOf<"cabinet">;
  reload: () => void;
}

function StoreForm({ cabinet, reload }: StoreFormProps) {
  const t = useTexts();
  const [, go] = useLocation();
  const { sn, sizes, refusal } = cabinet;
  const { recipientPhone, itemNote } = draft.use();
  const [size, setSize] = useState<Size | null>(sizes.find(({ free }) => free > 0)?.size ?? null);
  const pricing = sizes.find((each) => each.size === size)?.pricing;
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [phoneError, setPhoneError] = useState<string | null>(null);

  async function store(event: FormEvent) {
    event.preventDefault();
    if (!isPhone(recipientPhone)) return setPhoneError(t("phone.wrong"));
    if (size === null) return;
    setBusy(true);
    setFailure(null);
    const typed = { recipientPhone: recipientPhone.trim(), itemNote: itemNote.trim() };
    const body = { sn, size, ...typed, ...(pricing && { pricing }) };
    const outcome = await requestDoor({ call: "deposit", input: { body } }, sn);
    setBusy(false);
    if (!(outcome instanceof Refusal)) return go("/door");
    forgetIntention();
    setFailure(outcome);
    if (outcome.code === "PRICING_CHANGED") reload();
  }

  if (refusal !== null) {
    return (
      <Message tone="warn">
        <Chinese>{refusal}</Chinese>
      </Message>
    );
  }
  return (
    <form className="form" onSubmit={(event) => void store(event)} noValidate>
      <Choice
        label={t("store.size")}
        value={size}
        onChange={setSize}
        options={sizes.map(({ size: value, free }) => ({
          value,
          title: t(`size.${value}`),
          note: t("store.free", { free }),
          isDisabled: free === 0,
        }))}
      />
      <Field
        label={t("store.recipient")}
        hint={t("store.recipientHint")}
        error={phoneError}
        type="tel"
        inputMode="tel"
        autoComplete="off"
        value={recipientPhone}
        onChange={(value) => {
          draft.set({ ...draft.get(), recipientPhone: value });
          setPhoneError(null);
        }}
      />
      <Field
        label={t("store.note")}
        maxLength={60}
        autoComplete="off"
        value={itemNote}
        onChange={(value) => draft.set({ ...draft.get(), itemNote: value })}
      />
      <div className="card price">
        <h2>{t("store.price")}</h2>
        <p>
          <Chinese>{pricing ?? cabinet.pricing}</Chinese>
        </p>
        <p className="quiet">{t("store.priceNote")}</p>
      </div>
      {size !== null && isPhone(recipientPhone) && (
        <p className="card summary" role="status">
          <span className="quiet">{t("store.summary", { size: t(`size.${size}`) })}</span>
          <strong>{t("store.goesTo", { phone: groupedPhone(recipientPhone) })}</strong>
        </p>
      )}
      <FailureMessage failure={failure} />
      <Button type="submit" isBusy={isBusy}>
        {t("store.open")}
      </Button>
    </form>
  );
}
