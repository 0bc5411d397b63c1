// Display tones of the states of a new device.
import type {
  CodeState,
  StockEventKind,
  StockState,
} from "@cabinet/contract/equipment/device-stock/device-stock.rules.ts";
import type { Tone } from "../../../ui/display/tone.rules.ts";

export const stockStateTone: Record<StockState, Tone> = {
  IN_STOCK: "quiet",
  ASSIGNED: "waiting",
  ACTIVATED: "good",
  SCRAPPED: "quiet",
};

export const codeStateTone: Record<CodeState, Tone> = {
  NONE: "quiet",
  VALID: "good",
  EXPIRED: "bad",
  CLAIMED: "waiting",
  USED: "quiet",
};

export const stockEventTone: Partial<Record<StockEventKind, Tone>> = {
  ACTIVATED: "good",
  ACTIVATED_AGAIN: "doubtful",
  ACTIVATION_REFUSED: "bad",
};
