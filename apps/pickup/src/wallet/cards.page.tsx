// Cards (套餐): those bought, and those on sale, which are paid from the wallet.
import { useState } from "react";
import { call, type Failure, failureOf } from "../kit/api.ts";
import type { ReplyOf } from "../kit/calls.ts";
import { money, time } from "../kit/format.ts";
import { useTexts } from "../kit/texts.tsx";
import { useCall } from "../kit/use-call.ts";
import {
  Button,
  Card,
  Chinese,
  Empty,
  FailureMessage,
  Loading,
  Message,
  Screen,
} from "../ui/parts.tsx";

export function CardsPage() {
  const t = useTexts();
  const wallet = useCall("wallet", {});
  const offers = useCall("packages", {});
  const [isBought, setBought] = useState(false);
  const bought = () => {
    setBought(true);
    wallet.reload();
  };
  return (
    <Screen title={t("cards.title")} back="/me">
      {isBought && <Message tone="good">{t("cards.bought")}</Message>}
      <Card title={t("cards.yours")}>
        <Loading from={wallet}>
          {({ cards }) =>
            cards.length === 0 ? (
              <Empty icon="card">{t("cards.none")}</Empty>
            ) : (
              <ul className="cards">
                {cards.map((card) => (
                  <li key={card.id}>
                    <strong>
                      <Chinese>{card.name}</Chinese>
                    </strong>
                    <span className={`state card-${card.state}`}>{t(`card.${card.state}`)}</span>
                    <span className="quiet">
                      {card.usesLeft === null
                        ? t("cards.unlimited")
                        : t("cards.left", { left: card.usesLeft })}
                      {" · "}
                      {t("cards.until", { until: time(card.expiresAt) })}
                    </span>
                  </li>
                ))}
              </ul>
            )
          }
        </Loading>
      </Card>
      <Card title={t("cards.onSale")}>
        <Loading from={offers}>
          {(list) => {
            const sold = list.filter(({ kind }) => kind !== "BONUS");
            if (sold.length === 0) return <Empty icon="card">{t("cards.noneOnSale")}</Empty>;
            return (
              <ul className="cards">
                {sold.map((offer) => (
                  <Offer key={offer.id} offer={offer} onBought={bought} />
                ))}
              </ul>
            );
          }}
        </Loading>
      </Card>
    </Screen>
  );
}

interface OfferProps {
  offer: ReplyOf<"packages">[number];
  onBought: () => void;
}

function Offer({ offer, onBought }: OfferProps) {
  const t = useTexts();
  const [isAsked, setAsked] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const { id, name, priceFen, uses, validDays, coverLimitFen, remark } = offer;
  async function buy() {
    setBusy(true);
    setFailure(null);
    try {
      await call("buyPackage", { params: { id }, body: { agreedFen: priceFen } });
      setAsked(false);
      onBought();
    } catch (error) {
      setFailure(failureOf(error));
    }
    setBusy(false);
  }
  return (
    <li>
      <strong>
        <Chinese>{name}</Chinese>
      </strong>
      <span className="offer-price">{money(priceFen)}</span>
      <span className="quiet">
        {uses === null ? t("cards.unlimited") : t("cards.uses", { uses })}
        {validDays !== null && ` · ${t("cards.days", { days: validDays })}`}
        {coverLimitFen !== null && ` · ${t("cards.cover", { most: money(coverLimitFen) })}`}
      </span>
      {remark && (
        <span className="quiet">
          <Chinese>{remark}</Chinese>
        </span>
      )}
      <FailureMessage failure={failure} />
      {isAsked ? (
        <span className="pair">
          <Button isBusy={isBusy} onClick={() => void buy()}>
            {t("cards.confirm", { price: money(priceFen) })}
          </Button>
          <Button look="quiet" onClick={() => setAsked(false)}>
            {t("cancel")}
          </Button>
        </span>
      ) : (
        <Button
          look="second small"
          onClick={() => setAsked(true)}
          aria-label={t("cards.buyNamed", { name })}
        >
          {t("cards.buy")}
        </Button>
      )}
    </li>
  );
}
