// The person's own: wallet, cards, notices, help, and signing in or out.
import { useState } from "react";
import { call, type Failure, failureOf } from "../kit/api.ts";
import { money } from "../kit/format.ts";
import { usePlace } from "../kit/place.tsx";
import { currentSession, endSession, useSession } from "../kit/session.ts";
import { useTexts } from "../kit/texts.tsx";
import { useCall } from "../kit/use-call.ts";
import {
  Button,
  Chinese,
  FailureMessage,
  LinkButton,
  Message,
  RowLink,
  Screen,
} from "../ui/parts.tsx";
import { isInWeChat } from "../wallet/we-chat.ts";
import { saveOwnData } from "./own-data.ts";

async function signOut(): Promise<void> {
  const session = currentSession();
  if (!session) return;
  // Without an answer the session ends by itself; this browser forgets it at once.
  await call("signOut").catch(() => {});
  endSession(session.token);
}

export function AccountPage() {
  const t = useTexts();
  const session = useSession();
  const { data: place } = usePlace();
  const me = useCall("me", session && {});
  const wallet = useCall("wallet", session && {});
  return (
    <Screen title={t("me.title")}>
      {session ? (
        <div className="card me">
          <strong>{session.phone}</strong>
          <span className="quiet">
            <Chinese>{place?.tenantName ?? ""}</Chinese>
          </span>
        </div>
      ) : (
        <>
          <p className="quiet">{t("me.signedOut")}</p>
          <LinkButton href="/sign-in?to=/me">{t("signIn.title")}</LinkButton>
        </>
      )}
      {me.data?.notice && (
        <Message tone="warn">
          <Chinese>{me.data.notice}</Chinese>
        </Message>
      )}
      <ul className="rows card">
        <RowLink
          href="/wallet"
          icon="wallet"
          title={t("wallet.title")}
          note={wallet.data ? money(wallet.data.availableFen) : undefined}
        />
        <RowLink href="/cards" icon="card" title={t("cards.title")} />
        <RowLink href="/parcels" icon="parcels" title={t("parcels.title")} />
      </ul>
      <ul className="rows card">
        <RowLink href="/notices" icon="notice" title={t("notices.title")} />
        <RowLink href="/help" icon="help" title={t("help.title")} />
        <RowLink href="/report" icon="report" title={t("report.title")} />
        {place?.legal.map(({ kind }) => (
          <RowLink key={kind} href={`/legal/${kind}`} icon="text" title={t(`legal.${kind}`)} />
        ))}
      </ul>
      {session && (
        <>
          <OwnData />
          <LinkButton look="quiet" href="/close">
            {t("close.title")}
          </LinkButton>
          <Button look="quiet" onClick={() => void signOut()}>
            {t("me.signOut")}
          </Button>
        </>
      )}
    </Screen>
  );
}

/** Saves the own data as a file. */
function OwnData() {
  const t = useTexts();
  const [isBusy, setBusy] = useState(false);
  const [isShown, setShown] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  async function save() {
    if (isInWeChat()) return setShown(true);
    setBusy(true);
    setFailure(await saveOwnData().then(() => null, failureOf));
    setBusy(false);
  }
  return (
    <>
      <FailureMessage failure={failure} />
      {isShown && <Message tone="info">{t("me.dataInWeChat")}</Message>}
      <Button look="quiet" isBusy={isBusy} onClick={() => void save()}>
        {t(isBusy ? "me.dataBusy" : "me.data")}
      </Button>
    </>
  );
}
