// Routes of the calls that the page makes: the contract gives types alone, so that no schema library is loaded.
import type { authContract } from "@cabinet/contract/identity/auth/auth.contract.ts";
import type { EndpointSpec, Input, Reply } from "@cabinet/contract/kit/endpoint.ts";
import type { appContract } from "@cabinet/contract/orders/app/app.contract.ts";
import type { appNoticeContract } from "@cabinet/contract/orders/app/app-notice.contract.ts";
import type { appOrderContract } from "@cabinet/contract/orders/app/app-order.contract.ts";
import type { appPageContract } from "@cabinet/contract/orders/app/app-page.contract.ts";
import type { appWalletContract } from "@cabinet/contract/orders/app/app-wallet.contract.ts";

type Specs = Pick<typeof authContract, "captcha"> &
  Omit<typeof appContract, "signInByMiniProgram"> &
  Omit<typeof appPageContract, "logo"> &
  typeof appNoticeContract &
  typeof appOrderContract &
  typeof appWalletContract;

type OnceMark<Spec> = Spec extends { once: unknown } ? " once" : "";
type PressMark<Spec> = Spec extends { pressed: true } ? " pressed" : "";
type Route<Spec extends EndpointSpec> =
  `${Spec["method"]} ${Spec["path"]}${OnceMark<Spec>}${PressMark<Spec>}`;

/**
 * Method and path; `once` marks the calls that take an idempotency key, `pressed` those that take the time of the press. The
 * compiler compares them with the contract.
 */
export const routes: { readonly [Name in keyof Specs]: Route<Specs[Name]> } = {
  captcha: "GET /auth/captcha",
  page: "GET /app/v1/page",
  legal: "GET /app/v1/page/legal",
  requestCode: "POST /app/v1/code",
  signIn: "POST /app/v1/session",
  signOut: "DELETE /app/v1/session",
  close: "DELETE /app/v1/me",
  me: "GET /app/v1/me",
  agree: "POST /app/v1/me/consent",
  cabinet: "GET /app/v1/cabinet/{sn}",
  deposit: "POST /app/v1/order once pressed",
  list: "GET /app/v1/order",
  get: "GET /app/v1/order/{id}",
  openAgain: "POST /app/v1/order/{id}/open once pressed",
  cancel: "POST /app/v1/order/{id}/cancel once pressed",
  takeBack: "POST /app/v1/order/{id}/take-back once pressed",
  pickup: "POST /app/v1/order/{id}/pickup once pressed",
  pay: "POST /app/v1/order/{id}/pay once pressed",
  pickupByCode: "POST /app/v1/pickup once pressed",
  opening: "GET /app/v1/opening/{id}",
  wallet: "GET /app/v1/wallet",
  journals: "GET /app/v1/journal",
  packages: "GET /app/v1/package",
  buyPackage: "POST /app/v1/package/{id}/buy once pressed",
  topUp: "POST /app/v1/top-up once pressed",
  topUpProgress: "GET /app/v1/top-up/{id}",
  announcements: "GET /app/v1/announcements",
  readAnnouncement: "POST /app/v1/announcements/{id}/read",
  faq: "GET /app/v1/faq",
  reportMalfunction: "POST /app/v1/malfunction once",
  uploadPhoto: "POST /app/v1/malfunction/photo",
};

export type CallName = keyof Specs;
export type ReplyOf<Name extends CallName> = Reply<Specs[Name]>;

type Given<Name extends CallName> = Name extends "uploadPhoto"
  ? { body: FormData }
  : Input<Specs[Name]>;

/** Parts that the call does not have, or whose fields are all optional. */
type Omittable<Parts> = {
  [Key in keyof Parts]: undefined extends Parts[Key]
    ? Key
    : Record<never, never> extends Parts[Key]
      ? Key
      : never;
}[keyof Parts];

/** Input of a call; a photo is sent as its form. */
export type InputOf<Name extends CallName> = Partial<Pick<Given<Name>, Omittable<Given<Name>>>> &
  Omit<Given<Name>, Omittable<Given<Name>>>;
