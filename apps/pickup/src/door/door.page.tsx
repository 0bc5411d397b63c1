// The screen at a door: what happened to it so far, and the ways on. Survives a reload at any moment.
import { useCallback, useEffect, useState } from "react";
import { Redirect, useLocation } from "wouter";
import { call, type Failure, failureOf, Refusal } from "../kit/api.ts";
import { useTexts } from "../kit/texts.tsx";
import { Button, FailureMessage, LinkButton, Message, Screen } from "../ui/parts.tsx";
import { DoorDrawing } from "./door-drawing.tsx";
import { Following } from "./following.tsx";
import {
  type DoorRequest,
  forgetIntention,
  type Intention,
  pressAgain,
  repeatRequest,
  requestDoor,
  restoreIntention,
  useIntention,
} from "./intention.ts";

/** A request this old is repeated only by the person. A younger repeat opens nothing late: it asks what the first one did (0115). */
const FRESH_MS = 60_000;

export function DoorPage() {
  const intention = useIntention();
  if (!intention) return <Redirect href="/" replace />;
  if (intention.refusal) return <Refused intention={intention} refusal={intention.refusal} />;
  return <AtDoor intention={intention} />;
}

function Refused({ intention, refusal }: RefusedProps) {
  const t = useTexts();
  const { code, sentence } = refusal;
  return (
    <Screen title={t("door.refused.title")} look="at-door">
      <DoorDrawing look="warn" />
      <FailureMessage failure={new Refusal(code, sentence)} />
      <LeaveButton sn={intention.sn} look="main">
        {t("door.backToCabinet")}
      </LeaveButton>
      <LinkButton href="/parcels" look="second">
        {t("parcels.title")}
      </LinkButton>
    </Screen>
  );
}

interface RefusedProps {
  intention: Intention;
  refusal: NonNullable<Intention["refusal"]>;
}

interface LeaveButtonProps {
  sn: string;
  look: "main" | "quiet";
  children: string;
}

/** Leaves this door for the cabinet. */
function LeaveButton({ sn, look, children }: LeaveButtonProps) {
  const [, go] = useLocation();
  const leave = () => {
    go(`/c/${sn}`);
    forgetIntention();
  };
  return (
    <Button look={look} onClick={leave}>
      {children}
    </Button>
  );
}

function AtDoor({ intention }: { intention: Intention }) {
  const { answer, sn, at } = intention;
  const [isAsking, setAsking] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [, go] = useLocation();

  const ask = useCallback(async (send: () => Promise<unknown>) => {
    setAsking(true);
    await send();
    setAsking(false);
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a reload continues what was just begun, once.
  useEffect(() => {
    if (!answer && Date.now() - at < FRESH_MS) void ask(repeatRequest);
  }, []);

  useEffect(() => {
    if (answer) return;
    const retry = () => {
      if (Date.now() - at < FRESH_MS) void ask(repeatRequest);
    };
    addEventListener("online", retry);
    return () => removeEventListener("online", retry);
  }, [answer, at, ask]);

  /** A refused second opening leaves the first one's result on the screen. */
  async function openAgain(request: DoorRequest): Promise<void> {
    setFailure(null);
    setAsking(true);
    const outcome = await requestDoor(request, sn);
    setAsking(false);
    if (!(outcome instanceof Refusal)) return;
    restoreIntention(intention);
    setFailure(outcome);
  }

  async function cancel(orderId: number, then: string): Promise<void> {
    setFailure(null);
    try {
      await call("cancel", { params: { id: orderId } });
      go(then);
      forgetIntention();
    } catch (error) {
      setFailure(failureOf(error));
    }
  }

  /** Leaves for another compartment; an order that cannot be cancelled yet ends by itself. */
  async function changeCompartment(orderId: number, then: string): Promise<void> {
    try {
      await call("cancel", { params: { id: orderId } });
    } catch (error) {
      const failure = failureOf(error);
      const isLater = failure instanceof Refusal && failure.code === "ORDER_NOT_CANCELLABLE";
      if (!isLater) return setFailure(failure);
    }
    go(then);
    forgetIntention();
  }

  if (answer) {
    const acts = { openAgain, cancel, changeCompartment };
    return <Following intention={intention} answer={answer} acts={acts} failure={failure} />;
  }
  return isAsking ? <Asking /> : <Unanswered sn={sn} onRetry={() => void ask(pressAgain)} />;
}

function Asking() {
  const t = useTexts();
  return (
    <Screen title={t("door.asking.title")} look="at-door">
      <DoorDrawing look="waiting" />
      <Message tone="info">{t("door.asking.note")}</Message>
    </Screen>
  );
}

function Unanswered({ sn, onRetry }: { sn: string; onRetry: () => void }) {
  const t = useTexts();
  return (
    <Screen title={t("door.unanswered.title")} look="at-door">
      <DoorDrawing look="warn" />
      <Message tone="warn">{t("door.unanswered.note")}</Message>
      <Button onClick={onRetry}>{t("door.unanswered.retry")}</Button>
      <LinkButton href="/parcels" look="second">
        {t("parcels.title")}
      </LinkButton>
      <LeaveButton sn={sn} look="quiet">
        {t("door.unanswered.giveUp")}
      </LeaveButton>
    </Screen>
  );
}
