// The wallet: balance, topping up where WeChat Pay is set up, and what was paid.

import { money, time } from "../kit/format.ts";
import { usePlace } from "../kit/place.tsx";
import { useTexts } from "../kit/texts.tsx";
import { useCall } from "../kit/use-call.ts";
import { usePages } from "../kit/use-pages.ts";
import { Button, Card, Empty, Facts, Loading, Message, RowLink, Screen } from "../ui/parts.tsx";
import { TopUp } from "./top-up.tsx";

export function WalletPage() {
  const t = useTexts();
  const { data: place } = usePlace();
  const wallet = useCall("wallet", {});
  const journals = usePages("journals", {});
  const reload = () => {
    wallet.reload();
    journals.reload();
  };
  return (
    <Screen title={t("wallet.title")} back="/me">
      <Loading from={wallet}>
        {({ principalFen, bonusFen, heldFen, availableFen, isTopUpOpen, topUpMostFen }) => (
          <>
            <div className="balance card">
              <span>{t("wallet.available")}</span>
              <strong>{money(availableFen)}</strong>
              <Facts
                list={[
                  [t("wallet.principal"), money(principalFen)],
                  [t("wallet.bonus"), money(bonusFen)],
                  heldFen > 0 && [t("wallet.held"), money(heldFen)],
                ]}
              />
            </div>
            {isTopUpOpen ? (
              <TopUp mostFen={topUpMostFen} onPaid={reload} />
            ) : (
              <Message tone="info">
                {place?.servicePhone
                  ? t("wallet.offlinePhone", { phone: place.servicePhone })
                  : t("wallet.offline")}
              </Message>
            )}
          </>
        )}
      </Loading>
      <ul className="rows card">
        <RowLink href="/cards" icon="card" title={t("cards.title")} />
      </ul>
      <Card title={t("wallet.journals")}>
        <Loading from={journals}>
          {(list) => (
            <>
              {list.length === 0 && <Empty icon="wallet">{t("wallet.noJournals")}</Empty>}
              <ul className="journals">
                {list.map(({ id, at, kind, principalFen: principal, bonusFen: bonus }) => (
                  <li key={id}>
                    <span>
                      {t(`journal.${kind}`)}
                      <span className="quiet">{time(at)}</span>
                    </span>
                    <strong className={principal + bonus > 0 ? "gain" : ""}>
                      {principal + bonus > 0 ? "+" : ""}
                      {money(principal + bonus)}
                    </strong>
                  </li>
                ))}
              </ul>
              {journals.hasMore && (
                <Button look="second" onClick={journals.showMore}>
                  {t("more")}
                </Button>
              )}
            </>
          )}
        </Loading>
      </Card>
    </Screen>
  );
}
