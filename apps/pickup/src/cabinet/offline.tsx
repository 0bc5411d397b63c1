// Said before a press: no door opens at a cabinet without a network.
import type { ReplyOf } from "../kit/calls.ts";
import { useTexts } from "../kit/texts.tsx";
import type { Loaded } from "../kit/use-call.ts";
import { Button, Message } from "../ui/parts.tsx";

export const isOffline = ({ data }: Loaded<ReplyOf<"cabinet">>): boolean =>
  data?.isOnline === false;

/** The reason, the number to call and a second look. Shown in place of the buttons that open a door. */
export function OfflineNotice({ cabinet }: { cabinet: Loaded<ReplyOf<"cabinet">> }) {
  const t = useTexts();
  const phone = cabinet.data?.servicePhone;
  return (
    <>
      <Message tone="warn">
        {phone ? (
          <>
            {t("cabinet.offlineCall")} <a href={`tel:${phone}`}>{phone}</a>
          </>
        ) : (
          t("cabinet.offline")
        )}
      </Message>
      <Button look="second" onClick={cabinet.reload}>
        {t("cabinet.look")}
      </Button>
    </>
  );
}
