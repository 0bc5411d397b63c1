// One simulated user: deposits for others, picks up their deposits, waits for doors.
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { maskPhone } from "@cabinet/contract/kit/phone.rules.ts";
import { appContract } from "@cabinet/contract/orders/app/app.contract.ts";
import { APP_TOKEN_HEADER } from "@cabinet/contract/orders/app/app.rules.ts";
import {
  type AppCabinet,
  type AppOrderDetail,
  appOrderContract,
} from "@cabinet/contract/orders/app/app-order.contract.ts";
import { appWalletContract } from "@cabinet/contract/orders/app/app-wallet.contract.ts";
import { solvedCaptcha } from "./captcha.ts";
import type { Desk } from "./desk.ts";
import { callServer, type Headers, Refused } from "./http.ts";

export interface PeopleContext {
  readonly server: string;
  readonly tenantId: number;
  readonly desk: Desk;
  /** Random number in [0, 1). */
  random(): number;
  /** Receives each step as a Chinese log line. */
  log(line: string): void;
  readonly signal: AbortSignal;
}

const LOOK_EVERY_MS = 1_000;
/** Timeout for a door to close; the simulated cabinet closes doors well before. */
const DOOR_MS = 60_000;
const TRIES = 3;
const RECHARGE_FEN = 2_000;
const ENDED: readonly string[] = ["COMPLETED", "TAKEN_BACK", "CANCELLED", "ADMIN_CLEARED"];

export class Person {
  readonly phone: string;
  readonly #context: PeopleContext;
  #token: string | undefined;

  /** `token`: session token of an earlier run. */
  constructor(phone: string, fleet: PeopleContext, token?: string) {
    this.phone = phone;
    this.#context = fleet;
    this.#token = token;
  }

  get token(): string | undefined {
    return this.#token;
  }

  /** Deposits for `recipient`; returns the order once stored, else null. */
  async deposit(cabinet: AppCabinet, recipient: Person): Promise<AppOrderDetail | null> {
    const free = cabinet.sizes.filter((size) => size.free > 0);
    const chosen = free[Math.floor(this.#context.random() * free.length)];
    if (!chosen) return null;
    const { sn } = cabinet;
    const body = { sn, size: chosen.size, recipientPhone: recipient.phone, itemNote: "快递" };
    const { orderId, no } = await this.#asMe(appOrderContract.deposit, { body });
    this.#log(`在 ${cabinet.name} ${no} 号格口存件`);
    for (let attempt = 1; attempt <= TRIES; attempt++) {
      const order = await this.#waitAtDoor(orderId, ["STORED", "OVERDUE"]);
      if (order.state === "STORED") return order;
      if (ENDED.includes(order.state) || attempt === TRIES) break;
      await this.#asMe(appOrderContract.openAgain, { params: { id: orderId }, query: {} });
    }
    await this.#asMe(appOrderContract.cancel, { params: { id: orderId } });
    this.#log(`没有放入物品，取消了订单 ${orderId}`);
    return null;
  }

  /** Picks up by the code of the message; if money is owed, signed in and paid from the wallet. */
  async pickUp(order: AppOrderDetail): Promise<void> {
    const { desk, server } = this.#context;
    for (let attempt = 1; attempt <= TRIES; attempt++) {
      const wanted = { scene: "PICKUP_CODE", phone: this.phone, orderId: order.id } as const;
      const text = await desk.readSms(wanted);
      const code = /取件码 ?(\d{6})/.exec(text ?? "")?.[1];
      if (!code) throw new Error(`订单 ${order.id} 没有取件码短信`);
      const { owedFen } = await this.#order(order.id);
      if (owedFen > 0) await this.#payAndOpen(order.id);
      else {
        const phoneTail = this.phone.slice(-4);
        const body = { sn: order.cabinetSn, code, phoneTail, agreedFen: 0 };
        await callServer(server, appOrderContract.pickupByCode, { body });
      }
      const { state } = await this.#waitAtDoor(order.id, ENDED);
      if (ENDED.includes(state)) {
        this.#log(`从 ${order.cabinetName} ${order.no} 号格口取件`);
        return;
      }
    }
  }

  /** Takes the goods back as the rider. */
  async takeBack(order: AppOrderDetail): Promise<void> {
    const { owedFen } = await this.#order(order.id);
    await this.#ensureMoney(owedFen);
    const body = { agreedFen: owedFen };
    await this.#asMe(appOrderContract.takeBack, { params: { id: order.id }, body });
    await this.#waitAtDoor(order.id, ENDED);
    this.#log(`从 ${order.cabinetName} ${order.no} 号格口取回物品`);
  }

  async #payAndOpen(id: number): Promise<void> {
    const { owedFen } = await this.#order(id);
    await this.#ensureMoney(owedFen);
    const body = { agreedFen: owedFen };
    await this.#asMe(appOrderContract.pickup, { params: { id }, body });
  }

  async #ensureMoney(fen: number): Promise<void> {
    const { availableFen } = await this.#asMe(appWalletContract.wallet, {});
    if (availableFen >= fen) return;
    const { endUserId } = await this.#asMe(appContract.me, {});
    await this.#context.desk.recharge(endUserId, Math.max(RECHARGE_FEN, fen));
    this.#log("到柜台充值");
  }

  #order(id: number): Promise<AppOrderDetail> {
    return this.#asMe(appOrderContract.get, { params: { id } });
  }

  /** Waits until the order reaches one of `states`, the door closes without that, or time is up. */
  async #waitAtDoor(id: number, states: readonly string[]): Promise<AppOrderDetail> {
    const until = Date.now() + DOOR_MS;
    let wasOpen = false;
    for (;;) {
      await sleep(LOOK_EVERY_MS, undefined, { signal: this.#context.signal });
      const order = await this.#order(id);
      if (states.includes(order.state) || Date.now() > until) return order;
      const isUnder = order.state === "DEPOSITING" || order.state === "PICKING";
      if (isUnder) wasOpen = true;
      else if (wasOpen) return order;
      const command = order.opening?.state;
      const isDead = command !== undefined && !LIVING.includes(command);
      if (isDead && !isUnder) return order;
    }
  }

  /** Calls as this person; signs in if needed, with the code read by the operator account. */
  async #asMe<Spec extends Parameters<typeof callServer>[1]>(
    spec: Spec,
    input: Parameters<typeof callServer<Spec>>[2],
  ) {
    const { server } = this.#context;
    // Same idempotency key on the retry: a call that took effect is not executed twice.
    const key = { "idempotency-key": randomUUID() };
    for (let attempt = 1; ; attempt++) {
      const headers: Headers = { ...key, [APP_TOKEN_HEADER]: await this.#signedIn() };
      try {
        return await callServer(server, spec, input, headers);
      } catch (error) {
        const isOver = error instanceof Refused && error.status === 401;
        if (!isOver || attempt > 1) throw error;
        this.#token = undefined;
      }
    }
  }

  async #signedIn(): Promise<string> {
    if (this.#token) return this.#token;
    const { server, tenantId, desk } = this.#context;
    const { phone } = this;
    const { requestToken } = await callServer(
      server,
      appContract.requestCode,
      { body: { tenantId, phone } },
      await solvedCaptcha(server),
    );
    const text = await desk.readSms({ scene: "SIGN_IN_CODE", phone });
    const code = /验证码 (\d{6})/.exec(text ?? "")?.[1] ?? "";
    const body = { tenantId, phone, code, requestToken };
    this.#token = (await callServer(server, appContract.signIn, { body })).token;
    return this.#token;
  }

  #log(line: string): void {
    this.#context.log(`${maskPhone(this.phone)} ${line}`);
  }
}

/** A command that may still open its door. */
const LIVING: readonly string[] = ["QUEUED", "SENT", "ACKED", "CONFIRMED"];
