// Confirmation of an action; its dialog is loaded and mounted when it is first asked for.
import { useState } from "react";
import { Button, type ButtonProps } from "./button.tsx";
import type { ActionDialogProps, ConfirmOptions } from "./confirm-options.ts";
import { lateDialog } from "./late-part.tsx";

export type { ConfirmOptions };

export const LateActionDialog = lateDialog<ActionDialogProps<unknown>>(
  async () => (await import("./action-dialog.tsx")).default,
  ({ question, onClose }) => question && onClose,
);

export function ActionDialog<Outcome>(props: ActionDialogProps<Outcome>) {
  return <LateActionDialog {...(props as ActionDialogProps<unknown>)} />;
}

/** One dialog for a whole page: `ask` opens it, `dialog` is rendered once. */
export function useAction() {
  const [question, setQuestion] = useState<ConfirmOptions | null>(null);
  return {
    // Safe cast: only the dialog passes the outcome on, and that outcome comes from the same `run`.
    ask: <Outcome,>(asked: ConfirmOptions<Outcome>) => setQuestion(asked as ConfirmOptions),
    dialog: <ActionDialog question={question} onClose={() => setQuestion(null)} />,
  };
}

export interface ActionProps<Outcome> extends Omit<ButtonProps, "onClick"> {
  question: ConfirmOptions<Outcome>;
}

/** A button with its own dialog. */
export function Action<Outcome>({ question, ...button }: ActionProps<Outcome>) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <Button {...button} onClick={() => setIsAsking(true)} />
      <ActionDialog question={isAsking ? question : null} onClose={() => setIsAsking(false)} />
    </>
  );
}
