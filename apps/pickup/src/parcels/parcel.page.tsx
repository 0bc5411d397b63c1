// One parcel: where it lies, what is owed, and the actions that its state allows.
import { mayOpenFor } from "@cabinet/contract/orders/order/order.rules.ts";
import { useState } from "react";
import { useLocation } from "wouter";
import { isOffline, OfflineNotice } from "../cabinet/offline.tsx";
import {
  afterDoubt,
  type DoorRequest,
  forgetIntention,
  isInDoubt,
  requestDoor,
} from "../door/intention.ts";
import { call, type Failure, failureOf, Refusal } from "../kit/api.ts";
import type { ReplyOf } from "../kit/calls.ts";
import { money, time } from "../kit/format.ts";
import { useTexts } from "../kit/texts.tsx";
import { useCall } from "../kit/use-call.ts";
import {
  Button,
  Card,
  Chinese,
  Facts,
  FailureMessage,
  LinkButton,
  Loading,
  Message,
  Screen,
} from "../ui/parts.tsx";

type Order = ReplyOf<"get">;

export function ParcelPage({ id }: { id: number }) {
  const t = useTexts();
  const order = useCall("get", { params: { id } });
  return (
    <Screen title={t("parcel.title")} back="/parcels">
      <Loading from={order}>{(data) => <Parcel order={data} reload={order.reload} />}</Loading>
    </Screen>
  );
}

function Parcel({ order, reload }: { order: Order; reload: () => void }) {
  const t = useTexts();
  const { role, state, no, cabinetName, storeName, itemNote, otherPhone, pricing } = order;
  return (
    <>
      <div className="parcel-head">
        <span className="door-number">{no}</span>
        <div>
          <span className={`state ${state}`}>{t(`order.${state}`)}</span>
          <p>
            <Chinese>{cabinetName}</Chinese>
          </p>
          {storeName && (
            <p className="quiet">
              <Chinese>{storeName}</Chinese>
            </p>
          )}
        </div>
      </div>
      {state === "EXCEPTION" && <Message tone="warn">{t("parcel.exception")}</Message>}
      <Actions order={order} reload={reload} />
      <Card>
        <Facts
          list={[
            [t("parcel.role"), t(`role.${role}`)],
            [t("parcel.size"), t(`size.${order.size}`)],
            itemNote !== "" && [t("parcel.note"), <Chinese key="note">{itemNote}</Chinese>],
            otherPhone !== null && [t(`parcel.other.${role}`), otherPhone],
            [t("parcel.createdAt"), time(order.createdAt)],
            order.storedAt !== null && [t("parcel.storedAt"), time(order.storedAt)],
            order.endedAt !== null && [t("parcel.endedAt"), time(order.endedAt)],
            [t("parcel.pricing"), <Chinese key="pricing">{pricing}</Chinese>],
            [t("parcel.price"), money(order.priceFen)],
            order.paidFen > 0 && [t("parcel.paid"), money(order.paidFen)],
            order.refundedFen > 0 && [t("parcel.refunded"), money(order.refundedFen)],
          ]}
        />
      </Card>
      <LinkButton href={`/report?sn=${order.cabinetSn}&no=${no}`} look="quiet">
        {t("report.title")}
      </LinkButton>
    </>
  );
}

function Actions({ order, reload }: { order: Order; reload: () => void }) {
  const t = useTexts();
  const [, go] = useLocation();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [doubted, setDoubted] = useState<DoorRequest | null>(null);
  const { id, role, state, owedFen, cabinetSn } = order;
  const isRecipient = role === "RECIPIENT";
  const mayTake = mayOpenFor(state, isRecipient ? "PICKUP" : "TAKE_BACK");
  const wallet = useCall("wallet", owedFen > 0 ? {} : null);
  const mayOpen = mayTake || (!isRecipient && mayOpenFor(state, "DEPOSIT"));
  const cabinet = useCall("cabinet", mayOpen ? { params: { sn: cabinetSn } } : null);
  const isCut = isOffline(cabinet);
  // A rider owes only if they take it back.
  const needFen = isRecipient || order.endedAt !== null ? owedFen : 0;
  const shortFen = wallet.data ? needFen - wallet.data.availableFen : 0;

  async function open(request: DoorRequest) {
    setBusy(true);
    setFailure(null);
    setDoubted(null);
    const outcome = await requestDoor(request, cabinetSn);
    setBusy(false);
    if (!(outcome instanceof Refusal)) return go("/door");
    forgetIntention();
    setFailure(outcome);
    if (isInDoubt(outcome)) setDoubted(afterDoubt(request));
    // The price may have risen: the button shows the new one.
    reload();
  }

  async function run(work: () => Promise<unknown>) {
    setBusy(true);
    setFailure(null);
    try {
      await work();
    } catch (error) {
      setFailure(failureOf(error));
    }
    setBusy(false);
    reload();
  }

  const take = () =>
    void open({
      call: isRecipient ? "pickup" : "takeBack",
      input: { params: { id }, body: { agreedFen: owedFen } },
    });
  const isEndedUnpaid = order.endedAt !== null && order.payStatus === "UNPAID" && owedFen > 0;
  const params = { params: { id } };
  return (
    <div className="actions">
      {owedFen > 0 && (
        <div className="owed card">
          <span>{t(`parcel.owed.${role}`)}</span>
          <strong>{money(owedFen)}</strong>
          {wallet.data && (
            <span className="quiet">
              {t("parcel.wallet", { available: money(wallet.data.availableFen) })}
            </span>
          )}
        </div>
      )}
      {shortFen > 0 && (
        <Message tone="warn">{t("parcel.short", { short: money(shortFen) })}</Message>
      )}
      <FailureMessage failure={failure} />
      {isCut && <OfflineNotice cabinet={cabinet} />}
      {doubted && !isCut && (
        <Button isBusy={isBusy} onClick={() => void open(doubted)}>
          {t("door.openAfterDoubt")}
        </Button>
      )}
      {shortFen > 0 && <LinkButton href="/wallet">{t("wallet.topUp")}</LinkButton>}
      {mayTake && !isCut && (
        <Button
          isBusy={isBusy}
          look={isRecipient && shortFen <= 0 ? "main" : "second"}
          onClick={take}
        >
          {owedFen > 0
            ? t("parcel.payAndOpen", { price: money(owedFen) })
            : t(isRecipient ? "parcel.open" : "parcel.takeBack")}
        </Button>
      )}
      {mayTake && !isCut && <p className="quiet">{t("parcel.atCabinet")}</p>}
      {!isRecipient && mayOpenFor(state, "DEPOSIT") && (
        <>
          {!isCut && (
            <Button isBusy={isBusy} onClick={() => void open({ call: "openAgain", input: params })}>
              {t("door.openAgain")}
            </Button>
          )}
          <Button
            look="second"
            isBusy={isBusy}
            onClick={() => void run(() => call("cancel", params))}
          >
            {t("door.cancel")}
          </Button>
        </>
      )}
      {isEndedUnpaid && (
        <Button isBusy={isBusy} onClick={() => void run(() => call("pay", params))}>
          {t("parcel.pay", { price: money(owedFen) })}
        </Button>
      )}
    </div>
  );
}
