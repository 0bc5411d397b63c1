// Ways to WeChat Pay: its own sheet in pages opened inside WeChat, a page of WeChat's from other browsers.
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
  const weChat = await bridge();
  return new Promise((resolve) => {
    weChat.invoke("getBrandWCPayRequest", params, ({ err_msg }) =>
      resolve(err_msg.endsWith(":ok")),
    );
  });
}

/** Leaves for WeChat's page, which opens the WeChat app and returns to the present address. */
export function payOnPage(payUrl: string): void {
  const url = new URL(payUrl);
  url.searchParams.set("redirect_url", location.href);
  location.assign(url);
}
