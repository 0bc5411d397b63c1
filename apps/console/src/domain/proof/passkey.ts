// Passkeys in the browser (WebAuthn), loaded on demand.
import { secondFactorContract } from "@cabinet/contract/identity/second-factor/second-factor.contract.ts";
import type { Reply } from "@cabinet/contract/kit/endpoint.ts";
import { call } from "../../kit/api.ts";
import { late } from "../../kit/late.ts";
import { pressNow } from "../../kit/network.ts";

export const HOST = location.hostname;

/** Browsers offer passkeys on HTTPS (and localhost), and for names only. */
export const canUsePasskeys =
  window.isSecureContext && "PublicKeyCredential" in window && !/^[\d.]+$|:/.test(HOST);

const { load } = late(() => import("@simplewebauthn/browser"));

type Options = Awaited<ReturnType<typeof load>>;
type CreationOptions = Parameters<Options["startRegistration"]>[0]["optionsJSON"];
type RequestOptions = Parameters<Options["startAuthentication"]>[0]["optionsJSON"];

const CANCELLED = "没有完成：已取消或超时，请重试";

export interface Proven extends Reply<(typeof secondFactorContract)["prove"]> {
  /** When the person pressed, by the server's clock. */
  provenAt: number;
}

/** Proves with a passkey of this host. */
export async function proveWithPasskey(): Promise<Proven> {
  const { startAuthentication } = await load();
  const options = await call(secondFactorContract.challenge, { body: { host: HOST } });
  const answer = await startAuthentication({
    optionsJSON: options as unknown as RequestOptions,
  }).catch(refuse);
  // The last thing that the person did was to confirm the passkey.
  const provenAt = pressNow();
  const body = { answer: { ...answer } };
  return { provenAt, ...(await call(secondFactorContract.prove, { body })) };
}

/** Creates a passkey for this host; returns recovery codes if it is the first factor. */
export async function addPasskey(name: string): Promise<string[]> {
  const { startRegistration } = await load();
  const options = await call(secondFactorContract.beginPasskey, { body: { host: HOST } });
  const answer = await startRegistration({
    optionsJSON: options as unknown as CreationOptions,
  }).catch(refuse);
  const body = { name, answer: { ...answer } };
  return (await call(secondFactorContract.confirmPasskey, { body })).recoveryCodes;
}

/** The browser's own messages are English and about its interface. */
function refuse(error: unknown): never {
  const { name } = error as Error;
  throw new Error(name === "InvalidStateError" ? "这个设备上已经有本账号的通行密钥" : CANCELLED);
}
