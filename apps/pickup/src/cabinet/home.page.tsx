// The first screen: the cabinet last stood at or the tenant's page, and the entry to a cabinet.
import { NoAnswer } from "../kit/api.ts";
import { usePlace } from "../kit/place.tsx";
import { useTexts } from "../kit/texts.tsx";
import { Button, Card, Chinese, FailureMessage, Message, RowLink, Screen } from "../ui/parts.tsx";
import { EnterCabinet } from "./enter.page.tsx";

export function HomePage() {
  const t = useTexts();
  const { data, failure, reload } = usePlace();
  return (
    <Screen title={data?.tenantName ?? t("app")}>
      <FailureMessage failure={failure} />
      {failure instanceof NoAnswer && (
        <Button look="second" onClick={reload}>
          {t("retry")}
        </Button>
      )}
      {data?.notice && (
        <Message tone="warn">
          <Chinese>{data.notice}</Chinese>
        </Message>
      )}
      {data?.cabinet && (
        <Card title={t("home.here")}>
          <ul className="rows">
            <RowLink
              href={`/c/${data.cabinet.sn}`}
              icon="place"
              title={data.cabinet.name}
              note={data.cabinet.storeName ?? undefined}
            />
          </ul>
        </Card>
      )}
      <EnterCabinet />
      {data && (
        <ul className="rows card">
          <RowLink href="/parcels" icon="parcels" title={t("parcels.title")} />
          <RowLink href="/notices" icon="notice" title={t("notices.title")} />
          <RowLink href="/help" icon="help" title={t("help.title")} />
        </ul>
      )}
    </Screen>
  );
}
