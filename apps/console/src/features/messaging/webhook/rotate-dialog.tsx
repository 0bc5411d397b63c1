// Rotates the secret of a webhook endpoint, with an overlap.
import {
  type IssuedWebhookSecret,
  type WebhookEndpoint,
  webhookContract,
} from "@cabinet/contract/messaging/webhook/webhook.contract.ts";
import { OVERLAP_HOURS } from "@cabinet/contract/messaging/webhook/webhook.rules.ts";
import { IssueKey, type ShownSecret } from "../../../domain/key/issue-key.tsx";
import { useCall, useWrite } from "../../../kit/query.ts";
import { useLast } from "../../../ui/display/use-last.ts";

export function shownOf({ name, secret }: IssuedWebhookSecret): ShownSecret {
  return { facts: [["回调地址", name]], secret };
}

export function RotateDialog({
  endpoint,
  onClose,
}: {
  endpoint: WebhookEndpoint | null;
  onClose: () => void;
}) {
  const rotate = useWrite(webhookContract.rotate);
  const shown = useLast(endpoint);
  const { data } = useCall(
    webhookContract.endpoint,
    { params: { id: shown?.id ?? 0 } },
    { enabled: endpoint !== null },
  );
  if (!shown || !data) return null;
  const hints = data.secrets.map(({ hint }) => `whsec_…${hint}`);
  return (
    <IssueKey
      open={endpoint !== null}
      owner={
        <>
          回调地址<b>“{shown.name}”</b>
        </>
      }
      what="签名密钥"
      kids={hints}
      defaultHours={OVERLAP_HOURS}
      issue={(overlapHours) =>
        rotate.mutateAsync({ params: { id: shown.id }, body: { overlapHours } })
      }
      show={(made) => ({
        ...shownOf(made),
        previous: {
          kid: hints[0] ?? "",
          expiresAt: made.previousExpiresAt,
          effect: "此前每条回调同时带有新旧两个签名。",
        },
      })}
      onClose={onClose}
    />
  );
}
