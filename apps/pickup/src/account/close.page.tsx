// Closing the own account: what goes, what stays and why, and the last press.
import { useState } from "react";
import { Redirect } from "wouter";
import { call, type Failure, failureOf, NoAnswer, Refusal } from "../kit/api.ts";
import { endSession, useSession } from "../kit/session.ts";
import { useTexts } from "../kit/texts.tsx";
import { Button, Card, FailureMessage, LinkButton, Message, Screen } from "../ui/parts.tsx";

export function ClosePage() {
  const t = useTexts();
  const session = useSession();
  const [isBusy, setBusy] = useState(false);
  const [isClosed, setClosed] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);

  async function close() {
    setBusy(true);
    setFailure(null);
    try {
      await call("close");
      if (session) endSession(session.token);
      setClosed(true);
    } catch (error) {
      const found = failureOf(error);
      // The first request has closed the account; its answer was lost.
      const isRepeat = failure instanceof NoAnswer && found instanceof Refusal;
      if (isRepeat && found.code === "SIGN_IN_REQUIRED") setClosed(true);
      else setFailure(found);
    }
    setBusy(false);
  }

  if (isClosed) {
    return (
      <Screen title={t("close.done")} step="done">
        <Message tone="good">{t("close.kept")}</Message>
        <LinkButton href="/">{t("done")}</LinkButton>
      </Screen>
    );
  }
  if (!session && !failure) return <Redirect href="/sign-in?to=/close" replace />;
  return (
    <Screen title={t("close.title")} back="/me">
      <Card>
        <p>{t("close.erased")}</p>
        <p>{t("close.kept")}</p>
        <p>
          <strong>{t("close.final")}</strong>
        </p>
      </Card>
      <FailureMessage failure={failure} />
      <Button isBusy={isBusy} onClick={() => void close()}>
        {t("close.go")}
      </Button>
      <LinkButton href="/me" look="quiet">
        {t("cancel")}
      </LinkButton>
    </Screen>
  );
}
