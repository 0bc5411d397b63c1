// The one door that this tab is opening: kept from before the request until the goods are in or out.
import type { ErrorCode } from "@cabinet/contract/kit/errors.ts";
import { call, type Failure, failureOf, Refusal } from "../kit/api.ts";
import type { InputOf } from "../kit/calls.ts";
import { pressNow } from "../kit/press.ts";
import { kept } from "../kit/storage.ts";

interface Inputs {
  deposit: InputOf<"deposit">;
  openAgain: InputOf<"openAgain">;
  pickup: InputOf<"pickup">;
  takeBack: InputOf<"takeBack">;
  pickupByCode: InputOf<"pickupByCode">;
}

export type DoorRequest = {
  [Name in keyof Inputs]: { call: Name; input: Inputs[Name] };
}[keyof Inputs];

/** The request of an intention, without what became of it and without a decision about an earlier doubt. */
export function requestOf(request: DoorRequest): DoorRequest {
  const { call, input } = request;
  switch (call) {
    case "deposit":
      return { call, input };
    case "openAgain":
      return { call, input: { params: input.params } };
    default: {
      const { afterDoubt: _, ...body } = input.body ?? {};
      return { call, input: { ...input, body } } as DoorRequest;
    }
  }
}

/** The same request after the person has looked at a door whose last opening has no known result. */
export function afterDoubt(request: DoorRequest): DoorRequest {
  const { call, input } = request;
  switch (call) {
    case "deposit":
      return requestOf(request);
    case "openAgain":
      return { call, input: { ...input, query: { afterDoubt: true } } };
    case "pickupByCode":
      return { call, input: { body: { ...input.body, afterDoubt: true } } };
    case "pickup":
    case "takeBack":
      return { call, input: { ...input, body: { ...input.body, afterDoubt: true } } };
  }
}

/** True when the server wants a person to look at the door before it opens again. */
export const isInDoubt = (failure: Failure | null): boolean =>
  failure instanceof Refusal && failure.code === "ORDER_IN_DOUBT";

interface OpenedDoor {
  orderId: number;
  commandId: string;
  no: number;
  side: "FRONT" | "BACK";
  chargedFen: number;
  coveredFen: number;
  /** Deposits alone: when the order ends by itself. */
  depositUntil?: string;
}

export type Intention = DoorRequest & {
  sn: string;
  at: number;
  /** The same in all repeats of this press: after 15 seconds the server opens nothing, and says what the first one did. */
  pressedAt: number;
  /** Null until the server has answered. */
  answer: OpenedDoor | null;
  /** Why the door was not opened, after a repeat of an unanswered request. */
  refusal: { code: ErrorCode; sentence: string } | null;
  /** The goods do not fit: the deposit is cancelled once the door is closed. */
  isLeaving: boolean;
  isOver: boolean;
};

const intention = kept<Intention | null>("session", "door", null);

export const useIntention = (): Intention | null => intention.use();
/** A request of this tab has no answer yet; read once by a screen that would send another. */
export const isUnanswered = (): boolean => {
  const current = intention.get();
  return current !== null && !current.answer && !current.refusal;
};
export const forgetIntention = (): void => intention.set(null);
export const restoreIntention = (earlier: Intention): void => intention.set(earlier);

export function changeIntention(change: Partial<Pick<Intention, "isLeaving" | "isOver">>): void {
  const current = intention.get();
  if (current) intention.set({ ...current, ...change });
}

const TRIES = 3;
const PAUSE_MS = 1_500;

/** UNANSWERED: the door may have been opened. */
export type Outcome = "ANSWERED" | "UNANSWERED" | Refusal;

/**
 * Requests the opening and keeps the answer. A repeat of the same request has the same idempotency key, also after a
 * reload, so that no door opens twice.
 */
export function requestDoor(request: DoorRequest, sn: string): Promise<Outcome> {
  const fresh = { answer: null, refusal: null, isLeaving: false, isOver: false };
  intention.set({ ...request, ...fresh, sn, at: Date.now(), pressedAt: pressNow() });
  return repeatRequest();
}

/** The person presses again: the kept request may open the door anew, if it has not. */
export function pressAgain(): Promise<Outcome> {
  const current = intention.get();
  if (current) intention.set({ ...current, at: Date.now(), pressedAt: pressNow() });
  return repeatRequest();
}

/** Repeats the kept request while it has no answer. */
export async function repeatRequest(): Promise<Outcome> {
  const current = intention.get();
  if (!current || current.answer) return "ANSWERED";
  const keep = (result: Partial<Intention>) => {
    if (intention.get() === current) intention.set({ ...current, ...result } as Intention);
  };
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    if (attempt > 1) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    try {
      keep({ answer: await send(current) });
      return "ANSWERED";
    } catch (error) {
      const failure = failureOf(error);
      if (!(failure instanceof Refusal)) continue;
      keep({ refusal: { code: failure.code, sentence: failure.message } });
      return failure;
    }
  }
  return "UNANSWERED";
}

function send({ pressedAt, ...request }: Intention): Promise<OpenedDoor> {
  switch (request.call) {
    case "deposit":
      return call("deposit", request.input, { pressedAt });
    case "openAgain":
      return call("openAgain", request.input, { pressedAt });
    case "pickup":
      return call("pickup", request.input, { pressedAt });
    case "takeBack":
      return call("takeBack", request.input, { pressedAt });
    case "pickupByCode":
      return call("pickupByCode", request.input, { pressedAt });
  }
}
