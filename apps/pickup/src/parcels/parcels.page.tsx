// All parcels of the person: in a compartment now, and before.
import { useState } from "react";
import { Link } from "wouter";
import type { ReplyOf } from "../kit/calls.ts";
import { time } from "../kit/format.ts";
import { useTexts } from "../kit/texts.tsx";
import { usePages } from "../kit/use-pages.ts";
import { Choice } from "../ui/field.tsx";
import { Icon, roleIcon } from "../ui/icon.tsx";
import { Button, Chinese, Empty, Loading, Screen } from "../ui/parts.tsx";

export function ParcelsPage() {
  const t = useTexts();
  const [isLive, setLive] = useState(true);
  const parcels = usePages("list", { isLive });
  return (
    <Screen title={t("parcels.title")}>
      <Choice
        label={t("parcels.which")}
        look="views"
        value={isLive ? "live" : "past"}
        onChange={(value) => setLive(value === "live")}
        options={[
          { value: "live", title: t("parcels.live") },
          { value: "past", title: t("parcels.past") },
        ]}
      />
      <Loading from={parcels}>
        {(list) => (
          <>
            {list.length === 0 && (
              <Empty icon="parcels">{t(isLive ? "parcels.noneLive" : "parcels.nonePast")}</Empty>
            )}
            <ul className="parcels">
              {list.map((each) => (
                <Parcel key={each.id} parcel={each} />
              ))}
            </ul>
            {parcels.hasMore && (
              <Button look="second" onClick={parcels.showMore}>
                {t("more")}
              </Button>
            )}
          </>
        )}
      </Loading>
    </Screen>
  );
}

function Parcel({ parcel }: { parcel: ReplyOf<"list">["list"][number] }) {
  const t = useTexts();
  const { id, role, cabinetName, no, state, itemNote, storedAt, createdAt } = parcel;
  return (
    <li>
      <Link href={`/parcels/${id}`} className="parcel card">
        <Icon name={roleIcon[role]} />
        <span className="parcel-text">
          <strong>
            <Chinese>{itemNote || cabinetName}</Chinese>
          </strong>
          <span className="quiet bits">
            <span>{t(`role.${role}`)}</span>
            <span>{t("compartment", { no })}</span>
            <span>{time(storedAt ?? createdAt)}</span>
          </span>
        </span>
        <span className={`state ${state}`}>{t(`order.${state}`)}</span>
      </Link>
    </li>
  );
}
