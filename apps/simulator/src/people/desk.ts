// Operator account for simulated users: reads their messages from the outbox, recharges wallets.
import { authContract } from "@cabinet/contract/identity/auth/auth.contract.ts";
import { smsContract } from "@cabinet/contract/messaging/sms/sms.contract.ts";
import type { MessageScenario } from "@cabinet/contract/messaging/sms/sms.rules.ts";
import { walletContract } from "@cabinet/contract/money/wallet/wallet.contract.ts";
import { solvedCaptcha } from "./captcha.ts";
import { callServer, type Headers, Refused } from "./http.ts";

/** An account of the console, as the demo writes them into its file. */
export interface DeskAccount {
  readonly username: string;
  readonly password: string;
  readonly tenantId: number;
  readonly userType: number;
}

const REASON = "模拟用户没有收到短信，代为查看";
const RECHARGE_REASON = "模拟用户到柜台充值";

export class Desk {
  readonly #server: string;
  readonly #account: DeskAccount;
  #session: Promise<Headers> | undefined;

  constructor(server: string, account: DeskAccount) {
    this.#server = server;
    this.#account = account;
  }

  /** Text of the newest message to this phone or about this order; null if there is none. */
  async readSms(wanted: {
    scene: MessageScenario;
    phone: string;
    orderId?: number;
  }): Promise<string | null> {
    const query = { ...wanted, page: 1, pageSize: 1 };
    const { list } = await this.#ask((headers) =>
      callServer(this.#server, smsContract.history, { query }, headers),
    );
    const [message] = list;
    if (!message) return null;
    const { text } = await this.#ask((headers) =>
      callServer(
        this.#server,
        smsContract.showText,
        { params: { id: message.id }, body: { reason: REASON } },
        headers,
      ),
    );
    return text;
  }

  /** Recharges a wallet as a cash payment. */
  async recharge(endUserId: number, principalFen: number): Promise<void> {
    const body = {
      endUserId,
      kind: "RECHARGE",
      principalFen,
      bonusFen: 0,
      reason: RECHARGE_REASON,
    } as const;
    await this.#ask((headers) =>
      callServer(this.#server, walletContract.change, { body }, headers),
    );
  }

  /** Calls with a session; signs in if needed and retries once on 401. */
  async #ask<Result>(call: (headers: Headers) => Promise<Result>): Promise<Result> {
    this.#session ??= this.#signIn();
    const session = this.#session;
    try {
      return await call(await session);
    } catch (error) {
      if (this.#session === session) this.#session = undefined;
      if (!(error instanceof Refused) || error.status !== 401) throw error;
      this.#session ??= this.#signIn();
      return call(await this.#session);
    }
  }

  async #signIn(): Promise<Headers> {
    const { username, password, tenantId } = this.#account;
    const { token } = await callServer(
      this.#server,
      authContract.login,
      { body: { username, password } },
      await solvedCaptcha(this.#server),
    );
    return { "auth-token": token, tenantId: String(tenantId) };
  }
}
