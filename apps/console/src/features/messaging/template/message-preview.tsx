// Preview of a text message with its cost, and of a subscribe message as WeChat shows it.

import type { MessageScenario } from "@cabinet/contract/messaging/sms/sms.rules.ts";
import { signedText } from "@cabinet/contract/messaging/sms/sms.rules.ts";
import {
  renderSms,
  type SmsTemplate,
  smsCost,
} from "@cabinet/contract/messaging/template/sms-template.rules.ts";
import {
  renderKeywords,
  type SubscribeTemplate,
} from "@cabinet/contract/messaging/template/subscribe-template.rules.ts";
import { sampleFacts } from "@cabinet/contract/messaging/template/template.rules.ts";
import "./template.css";

interface SmsPreviewProps {
  scene: MessageScenario;
  sms: SmsTemplate;
  sign: string;
}

/** Renders with sample data. */
export function SmsPreview({ scene, sms, sign }: SmsPreviewProps) {
  const { text } = renderSms(sms, sampleFacts(scene));
  const { length, segments } = smsCost(sign, text);
  return (
    <figure className="template-phone">
      <blockquote className="template-bubble">{signedText(sign, text)}</blockquote>
      <figcaption aria-live="polite" data-many={segments > 1}>
        含签名 {length} 字，计费 {segments} 条{segments > 1 && "：超过 70 字按每 67 字一条计费"}
      </figcaption>
    </figure>
  );
}

interface SubscribePreviewProps {
  scene: MessageScenario;
  subscribe: SubscribeTemplate;
}

/** Renders sample values, truncated to the keyword types. */
export function SubscribePreview({ scene, subscribe }: SubscribePreviewProps) {
  const { title, keywords, page } = subscribe;
  const data = renderKeywords(keywords, sampleFacts(scene));
  return (
    <figure className="template-phone">
      <div className="template-card">
        <p className="template-card-title">{title || "订阅消息"}</p>
        <dl>
          {keywords.map(({ name, title: keyword }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two keywords may have equal names while typing.
            <div key={`${index}-${name}`}>
              <dt>{keyword || name || "关键词"}</dt>
              <dd>{data[name]?.value || "—"}</dd>
            </div>
          ))}
        </dl>
        <p className="template-card-foot">{page === "" ? "点开不跳转" : "进入小程序查看"}</p>
      </div>
      <figcaption>由微信送达，不计短信条数</figcaption>
    </figure>
  );
}
