// A cabinet in front of the person: where it is, what is free, what it costs, and the two things to do.
import { staffCabinetPath } from "@cabinet/contract/orders/app/app-page.rules.ts";
import { Link } from "wouter";
import type { ReplyOf } from "../kit/calls.ts";
import { usePlace } from "../kit/place.tsx";
import { useSession } from "../kit/session.ts";
import { useTexts } from "../kit/texts.tsx";
import { type Loaded, useCall } from "../kit/use-call.ts";
import { Icon, roleIcon } from "../ui/icon.tsx";
import { Card, Chinese, FailureMessage, Loading, Message, RowLink, Screen } from "../ui/parts.tsx";
import { EnterCabinet } from "./enter.page.tsx";

export function CabinetPage({ sn }: { sn: string }) {
  const t = useTexts();
  const place = usePlace();
  const cabinet = useCall("cabinet", { params: { sn } });
  if (place.failure && !place.data) {
    return (
      <Screen title={t("app")}>
        <FailureMessage failure={place.failure} />
        <EnterCabinet />
        <StaffLink sn={sn} />
      </Screen>
    );
  }
  return (
    <Screen
      title={cabinet.data?.name ?? place.data?.cabinet?.name ?? t("cabinet.title")}
      look="wide"
    >
      {place.data?.notice && (
        <Message tone="warn">
          <Chinese>{place.data.notice}</Chinese>
        </Message>
      )}
      <div className="column">
        <Tiles sn={sn} cabinet={cabinet.data} />
        {place.isEntered && <Waiting sn={sn} />}
      </div>
      <div className="column">
        <More cabinet={cabinet} />
        <StaffLink sn={sn} />
      </div>
    </Screen>
  );
}

/** A worker scans the same label; the console asks for the sign-in, and leads here afterwards. */
function StaffLink({ sn }: { sn: string }) {
  const t = useTexts();
  return (
    <a href={staffCabinetPath(sn)} className="staff">
      {t("cabinet.staff")}
    </a>
  );
}

/** The two things to do: they wait for no answer. */
function Tiles({ sn, cabinet }: { sn: string; cabinet: ReplyOf<"cabinet"> | null }) {
  const t = useTexts();
  const refusal = cabinet?.refusal ?? null;
  const free = cabinet?.sizes.reduce((sum, size) => sum + size.free, 0);
  return (
    <>
      <div className="tiles">
        {refusal === null ? (
          <Link href={`/c/${sn}/store`} className="tile">
            <Icon name="store" />
            <strong>{t("store.title")}</strong>
            <span>{free === undefined ? t("loading") : t("cabinet.free", { free })}</span>
          </Link>
        ) : (
          <span className="tile off">
            <Icon name="store" />
            <strong>{t("store.title")}</strong>
            <span>{t("cabinet.off")}</span>
          </span>
        )}
        <Link href={`/c/${sn}/pickup`} className="tile main">
          <Icon name="pickup" />
          <strong>{t("pickup.title")}</strong>
          <span>{t("cabinet.pickup")}</span>
        </Link>
      </div>
      {refusal !== null && (
        <Message tone="warn">
          <Chinese>{refusal}</Chinese>
        </Message>
      )}
    </>
  );
}

/** Parcels of the signed-in person that lie in this cabinet. */
function Waiting({ sn }: { sn: string }) {
  const t = useTexts();
  const session = useSession();
  const query = { isLive: true, page: 1, pageSize: 50 };
  const { data } = useCall("list", session && { query });
  const here = data?.list.filter(({ cabinetSn }) => cabinetSn === sn) ?? [];
  if (here.length === 0) return null;
  return (
    <Card title={t("cabinet.yours")}>
      <ul className="rows">
        {here.map(({ id, no, role, state }) => (
          <RowLink
            key={id}
            href={`/parcels/${id}`}
            icon={roleIcon[role]}
            title={t("compartment", { no })}
            note={t(`order.${state}`)}
          />
        ))}
      </ul>
    </Card>
  );
}

function More({ cabinet }: { cabinet: Loaded<ReplyOf<"cabinet">> }) {
  const t = useTexts();
  return (
    <>
      <Loading from={cabinet}>{(data) => <Details cabinet={data} />}</Loading>
      <ul className="rows card">
        <RowLink href="/report" icon="report" title={t("report.title")} />
        <RowLink href="/help" icon="help" title={t("help.title")} />
      </ul>
    </>
  );
}

function Details({ cabinet }: { cabinet: ReplyOf<"cabinet"> }) {
  const t = useTexts();
  return (
    <Card>
      <ul className="details">
        <li>
          <Icon name="place" />
          <Chinese>{cabinet.place || cabinet.name}</Chinese>
        </li>
        {cabinet.openingHours && (
          <li>
            <Icon name="clock" />
            <Chinese>{cabinet.openingHours}</Chinese>
          </li>
        )}
        <li>
          <Icon name="wallet" />
          <Chinese>{cabinet.pricing}</Chinese>
        </li>
        {cabinet.servicePhone && (
          <li>
            <Icon name="phone" />
            <a href={`tel:${cabinet.servicePhone}`}>{cabinet.servicePhone}</a>
          </li>
        )}
      </ul>
      <p className="quiet sn">{t("cabinet.sn", { sn: cabinet.sn })}</p>
    </Card>
  );
}
