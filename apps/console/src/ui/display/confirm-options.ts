// Question of an action's dialog, and what follows its answer.
import type { ReactNode } from "react";
import type { Undo } from "../../kit/feedback.ts";

export interface ConfirmOptions<Outcome = unknown> {
  title: string;
  /** Describes the effect and the record that it applies to. */
  effect: ReactNode;
  /** Label of the confirm button: names the action itself, not a generic 确定. */
  confirm: string;
  isDanger?: boolean;
  /** Disables the confirm button; `effect` explains why the action cannot run now. */
  isBlocked?: boolean;
  /** Requires a reason and offers these as presets; absent: no reason is asked for. */
  reasons?: readonly string[];
  run: (reason: string) => Promise<Outcome>;
  /** Toast text after success, or… */
  done?: string;
  /** Takes the effect back; offered for some seconds beside `done`. */
  undo?: Undo;
  /** …content shown in the dialog after success; the dialog stays open until it is closed. */
  outcome?: (outcome: Outcome) => ReactNode;
}

export interface ActionDialogProps<Outcome> {
  /** Null: the dialog is closed. */
  question: ConfirmOptions<Outcome> | null;
  onClose: () => void;
}
