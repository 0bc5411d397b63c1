// Form control for the events of a webhook endpoint, by group; a group can be selected as a whole.
import {
  AUDIT_EVENTS,
  MALFUNCTION_EVENTS,
  OPENING_EVENTS,
  ORDER_EVENTS,
  type WebhookEventType,
  webhookEventText,
} from "@cabinet/contract/messaging/webhook/webhook-event.rules.ts";
import type { Control } from "../../../ui/form/control.ts";
import "../../../ui/display/basics.css";
import "./webhook.css";

const MONEY = ["order.paid", "order.refunded"] as const;
const isMoney = (type: string) => (MONEY as readonly string[]).includes(type);

const groups: readonly { name: string; types: readonly WebhookEventType[] }[] = [
  { name: "订单状态", types: ORDER_EVENTS.filter((type) => !isMoney(type)) },
  { name: "订单资金", types: MONEY },
  { name: "开门", types: OPENING_EVENTS },
  { name: "故障", types: MALFUNCTION_EVENTS },
  { name: "审计", types: AUDIT_EVENTS },
];

export function EventInput({
  id,
  value = [],
  onChange,
}: Control<readonly WebhookEventType[], WebhookEventType[]>) {
  const chosen = new Set(value);
  const set = (types: readonly WebhookEventType[], isOn: boolean) => {
    const after = new Set(chosen);
    for (const type of types) isOn ? after.add(type) : after.delete(type);
    onChange?.(groups.flatMap((group) => group.types.filter((type) => after.has(type))));
  };
  return (
    <div className="callback-events" {...(id && { id })}>
      {groups.map(({ name, types }) => {
        const count = types.filter((type) => chosen.has(type)).length;
        return (
          <fieldset key={name}>
            <legend>
              <label>
                <input
                  type="checkbox"
                  className="ui-check"
                  checked={count === types.length}
                  ref={(box) => {
                    if (box) box.indeterminate = count > 0 && count < types.length;
                  }}
                  onChange={(event) => set(types, event.target.checked)}
                />
                {name}
                <small>
                  {count} / {types.length}
                </small>
              </label>
            </legend>
            <div>
              {types.map((type) => (
                <label key={type}>
                  <input
                    type="checkbox"
                    className="ui-check"
                    checked={chosen.has(type)}
                    onChange={(event) => set([type], event.target.checked)}
                  />
                  <span>
                    {webhookEventText[type]}
                    <code>{type}</code>
                  </span>
                </label>
              ))}
            </div>
          </fieldset>
        );
      })}
    </div>
  );
}
