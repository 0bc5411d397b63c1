// A door that was requested: its phase, and what the person can do in it.
import { useEffect } from "react";
import type { Failure } from "../kit/api.ts";
import { money, time } from "../kit/format.ts";
import { useSession } from "../kit/session.ts";
import { type TextKey, useTexts } from "../kit/texts.tsx";
import {
  Button,
  Chinese,
  Facts,
  FailureMessage,
  LinkButton,
  Message,
  Screen,
  type Tone,
} from "../ui/parts.tsx";
import { type DoorPhase, isOver, phaseOf } from "./door.rules.ts";
import { DoorDrawing, type DoorLook } from "./door-drawing.tsx";
import {
  afterDoubt,
  changeIntention,
  type DoorRequest,
  type Intention,
  requestOf,
} from "./intention.ts";
import { useOpening } from "./use-opening.ts";

interface Acts {
  openAgain: (request: DoorRequest) => Promise<void>;
  cancel: (orderId: number, then: string) => Promise<void>;
  changeCompartment: (orderId: number, then: string) => Promise<void>;
}

interface FollowingProps {
  intention: Intention;
  answer: NonNullable<Intention["answer"]>;
  acts: Acts;
  failure: Failure | null;
}

const looks: Record<DoorPhase, [look: DoorLook, tone: Tone]> = {
  OPENING: ["waiting", "info"],
  OPEN: ["open", "info"],
  JAMMED: ["warn", "warn"],
  REFUSED: ["warn", "warn"],
  IN_DOUBT: ["warn", "warn"],
  NOTHING_IN: ["warn", "warn"],
  STILL_INSIDE: ["warn", "warn"],
  STORED: ["done", "good"],
  TAKEN: ["done", "good"],
  ENDED: ["done", "info"],
  HANDED_OVER: ["warn", "warn"],
};

type Way = "IN" | "OUT";
const wayOf = ({ call }: Intention): Way =>
  call === "deposit" || call === "openAgain" ? "IN" : "OUT";

export function Following({ intention, answer, acts, failure }: FollowingProps) {
  const t = useTexts();
  const { opening, isLost, isGone } = useOpening(answer.commandId, intention.isOver);
  const phase: DoorPhase = opening ? phaseOf(opening) : "OPENING";
  const way = wayOf(intention);
  const over = isOver(phase) || isGone;

  useEffect(() => {
    if (over) changeIntention({ isOver: true });
  }, [over]);

  const { isLeaving } = intention;
  const { orderId } = answer;
  const { cancel } = acts;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each time the door closes.
  useEffect(() => {
    if (isLeaving && phase === "NOTHING_IN") void cancel(orderId, storePath(intention));
  }, [isLeaving, phase]);

  if (isGone) return <Gone intention={intention} />;
  const [look, tone] = looks[phase];
  const isClosing = isLeaving && phase === "OPEN";
  const note: TextKey = isClosing ? "door.leaving.note" : `door.${way}.${phase}.note`;
  const title: TextKey = isClosing ? "door.leaving.title" : `door.${way}.${phase}.title`;
  const { no } = answer;
  return (
    <Screen title={t(title, { no })} look="at-door" step={title}>
      <DoorDrawing look={look} no={no} />
      <Message tone={tone}>{t(note, { no })}</Message>
      {phase === "REFUSED" && opening?.detail && (
        <p className="quiet">
          <Chinese>{opening.detail}</Chinese>
        </p>
      )}
      {answer.side === "BACK" && !over && <Message tone="info">{t("door.back")}</Message>}
      {answer.depositUntil && !over && (
        <p className="quiet">{t("door.until", { until: time(answer.depositUntil) })}</p>
      )}
      {isLost && <Message tone="warn">{t("door.lost")}</Message>}
      <FailureMessage failure={failure} />
      <Paid answer={answer} phase={phase} />
      <Ways {...{ intention, answer, acts, phase, way }} />
    </Screen>
  );
}

/** A new deposit at the same cabinet, with what was typed before. */
const storePath = ({ sn }: Intention) => `/c/${sn}/store`;

function Gone({ intention }: { intention: Intention }) {
  const t = useTexts();
  return (
    <Screen title={t("door.gone.title")}>
      <Message tone="info">{t("door.gone.note")}</Message>
      <LinkButton href="/parcels">{t("parcels.title")}</LinkButton>
      <LinkButton href={`/c/${intention.sn}`} look="second">
        {t("door.backToCabinet")}
      </LinkButton>
    </Screen>
  );
}

function Paid({ answer, phase }: Pick<FollowingProps, "answer"> & { phase: DoorPhase }) {
  const t = useTexts();
  const { chargedFen, coveredFen } = answer;
  if (chargedFen + coveredFen === 0) return null;
  // Held money is taken only when the door is proven open.
  const isTaken = phase === "OPEN" || phase === "TAKEN" || phase === "STILL_INSIDE";
  return (
    <div className="card">
      <Facts
        list={[
          chargedFen > 0 && [t(isTaken ? "door.paid" : "door.held"), money(chargedFen)],
          coveredFen > 0 && [t("door.covered"), money(coveredFen)],
        ]}
      />
    </div>
  );
}

type WaysProps = Omit<FollowingProps, "failure"> & { phase: DoorPhase; way: Way };

function Ways({ intention, answer, acts, phase, way }: WaysProps) {
  const t = useTexts();
  const session = useSession();
  const { sn } = intention;
  const { orderId } = answer;
  const again: DoorRequest =
    way === "IN" ? { call: "openAgain", input: { params: { id: orderId } } } : intention;
  // The note beside the button asks the person to look at the door first.
  const request = phase === "IN_DOUBT" ? afterDoubt(again) : requestOf(again);
  const openAgain = (
    <Button onClick={() => void acts.openAgain(request)}>{t("door.openAgain")}</Button>
  );
  const report = (
    <LinkButton href={`/report?no=${answer.no}`} look="quiet">
      {t("report.title")}
    </LinkButton>
  );
  const other = (
    <Button
      look="second"
      onClick={() => void acts.changeCompartment(orderId, storePath(intention))}
    >
      {t("door.otherSize")}
    </Button>
  );
  if (phase === "OPEN" && way === "IN" && !intention.isLeaving) {
    return (
      <Button look="second" onClick={() => changeIntention({ isLeaving: true })}>
        {t("door.doesNotFit")}
      </Button>
    );
  }
  switch (phase) {
    case "JAMMED":
    case "REFUSED":
      return (
        <>
          {openAgain}
          {way === "IN" && other}
          {report}
        </>
      );
    case "NOTHING_IN":
      return (
        <>
          {openAgain}
          {other}
          <Button look="quiet" onClick={() => void acts.cancel(orderId, `/c/${sn}`)}>
            {t("door.cancel")}
          </Button>
        </>
      );
    case "IN_DOUBT":
    case "STILL_INSIDE":
      return (
        <>
          {openAgain}
          {report}
        </>
      );
    case "STORED":
    case "TAKEN":
    case "ENDED":
    case "HANDED_OVER":
      return (
        <>
          <LinkButton href={`/c/${sn}`}>{t("done")}</LinkButton>
          {session && (
            <LinkButton href={`/parcels/${orderId}`} look="second">
              {t("door.showParcel")}
            </LinkButton>
          )}
          {phase === "STORED" && (
            <LinkButton href={storePath(intention)} look="quiet">
              {t("door.storeAnother")}
            </LinkButton>
          )}
        </>
      );
    default:
      return null;
  }
}
