// Type of a call row: an input that succeeds, built from ids that a test may replace.
import type { contracts } from "@cabinet/contract/contracts.ts";
import type { CallInput } from "./test-server.ts";

type Contracts = typeof contracts;
export type CallName = {
  [Noun in keyof Contracts]: `${Noun}.${keyof Contracts[Noun] & string}`;
}[keyof Contracts];

/**
 * Ids that calls may name. Rows take them from here, so that a test can put foreign or nonexistent
 * ones in.
 */
export interface Ids {
  tenantId: number;
  /** Suspended and empty. */
  spareTenantId: number;
  /**
   * Online, active, in a store. Compartments: 1 plain, 2 disabled, 3 occupied but sensed as empty.
   */
  cabinetId: number;
  secondCabinetId: number;
  pausedCabinetId: number;
  storeId: number;
  /** Has no cabinet. */
  emptyStoreId: number;
  /** First account of the tenant. */
  operatorId: number;
  /** Maintenance staff of `storeId` without a role: one active, one disabled. */
  staffId: number;
  disabledStaffId: number;
  /** Role without members; it is limited to `storeId`. */
  roleId: number;
  /** Settled command. */
  commandId: string;
  /** New device in stock, and one assigned to the tenant but not in service yet. */
  stockId: number;
  assignedStockId: number;
  /** Platform-wide, without a tenant. */
  modelId: number;
  /** Model without cabinets. */
  spareModelId: number;
  menuEntryId: number;
  /** For `modelId`: one released, one draft, and a firmware file without a version. */
  firmwareId: number;
  draftFirmwareId: number;
  firmwareFileId: string;
  /** Belongs to the account that started the export. */
  exportId: string;
  /** Parameter roll-outs: running, paused, and stopped at a failure. */
  rolloutId: number;
  pausedRolloutId: number;
  stoppedRolloutId: number;
  /** Has goods in compartment 3 of the first cabinet. */
  endUserId: number;
  orderId: number;
  /** User of the same tenant without wallet or orders; `tagId` and `noteId` are of `endUserId`. */
  spareUserId: number;
  tagId: number;
  noteId: number;
  /** First top-up in the wallet of `endUserId`. */
  journalId: number;
  /** Paid by WeChat; an open difference, and one about money for a closed top-up. */
  topUpId: number;
  differenceId: number;
  creditableId: number;
  /** Top-up for `endUserId` that waits for a second person. */
  reviewId: number;
  /** Text message with the code of `orderId`. */
  smsId: number;
  /** Text message about the same order, refused by the carrier. */
  refusedSmsId: number;
  /** SMS recharge of the tenant, and a malfunction that its first account was notified of. */
  smsRechargeId: number;
  malfunctionId: number;
  /** At the second cabinet: one in progress with its photo, and one resolved. */
  workedMalfunctionId: number;
  resolvedMalfunctionId: number;
  malfunctionPhotoId: string;
  noticeId: number;
  /** Package on sale, and a card of that package which `endUserId` bought. */
  packageId: number;
  userPackageId: number;
  /** A 充值赠送 on sale: 50 yuan and 5 on top. */
  bonusPackageId: number;
  /** Picture of the tenant that is not used as a logo yet. */
  logoFileId: string;
  /** Terms in force, which `endUserId` has agreed to. */
  legalTextId: number;
  /** One advert that is on, one draft, and a picture that no advert uses. */
  shownAdvertId: number;
  draftAdvertId: number;
  advertFileId: string;
  /** Announcements: published to all accounts, draft, for app users, of the platform. */
  announcementId: number;
  draftAnnouncementId: number;
  appAnnouncementId: number;
  platformAnnouncementId: number;
  /** Image in `appAnnouncementId` and `faqId`; a category with that question, and an empty one. */
  noticeImageId: string;
  faqId: number;
  faqCategoryId: number;
  spareFaqCategoryId: number;
  /** Belongs to the platform; hidden by the tenant. */
  platformFaqId: number;
  /** Webhook endpoint in use, a paused one, a dead delivery, and the application they belong to. */
  callbackId: number;
  pausedCallbackId: number;
  callbackDeliveryId: number;
  callbackAppId: number;
  /** Application that placed `orderId`, a disabled one, and a call of the first. */
  openAppId: number;
  disabledOpenAppId: number;
  openCallId: number;
  /** Audit entry of an account of the tenant, and a session of it. */
  auditEntryId: number;
  sessionId: number;
}

export interface CallRow {
  input: (ids: Ids) => CallInput;
  /** Part of the refusal, for calls that even the right account is refused. */
  refusal?: string;
  /** Applies to every store, so accounts limited to some stores are refused. */
  isForAllStores?: true;
}

export const reason = "用户忘记取件码";
export const nothing = () => ({});

/** Names of the ids that a row's input reads, found by a proxy. */
export function idsNamedBy(row: CallRow, ids: Ids): (keyof Ids)[] {
  const named = new Set<keyof Ids>();
  const watched = new Proxy(ids, {
    get(target, key) {
      named.add(key as keyof Ids);
      return target[key as keyof Ids];
    },
  });
  row.input(watched);
  return [...named];
}
