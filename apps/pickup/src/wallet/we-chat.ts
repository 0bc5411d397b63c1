// WeChat's own payment sheet, which exists only in pages that are opened inside WeChat.
import type { ReplyOf } from "../kit/calls.ts";

type PayParams = NonNullable<ReplyOf<"topUpProgress">["payParams"]>;

interface Bridge {
  invoke(
    name: "getBrandWCPayRequest",
    params: PayParams,
    done: (result: { err_msg: string }) => void,
  ): void;
}

declare global {
  interface Window {
    WeixinJSBridge?: Bridge;
  }
}

export const isInWeChat = (): boolean => /MicroMessenger/i.test(navigator.userAgent);

function bridge(): Promise<Bridge> {
  if (window.WeixinJSBridge) return Promise.resolve(window.WeixinJSBridge);
  return new Promise((resolve) => {
    document.addEventListener(
      "WeixinJSBridgeReady",
      () => window.WeixinJSBridge && resolve(window.WeixinJSBridge),
      { once: true },
    );
  });
}

/** False when the person closed the sheet. WeChat's answer proves no payment: the server asks WeChat Pay itself. */
export async function payInWeChat(params: PayParams): Promise<boolean> {
  const { invoke } = await bridge();
  return new Promise((resolve) => {
    invoke("getBrandWCPayRequest", params, ({ err_msg }) => resolve(err_msg.endsWith(":ok")));
  });
}
