// What a row about a call is: an input that succeeds, made of ids that a test may put others in place of.
import type { contracts } from "@cabinet/contract/contracts.ts";
import type { CallInput } from "./test-server.ts";

type Contracts = typeof contracts;
export type CallName = {
  [Noun in keyof Contracts]: `${Noun}.${keyof Contracts[Noun] & string}`;
}[keyof Contracts];

/** What a call may name. A row takes its ids from here, so that a test can put others in their place. */
export interface Ids {
  tenantId: number;
  /** Suspended, with nothing in it. */
  spareTenantId: number;
  /** Online, running, in a store; its compartments: 1 plain, 2 disabled, 3 booked but empty. */
  cabinetId: number;
  secondCabinetId: number;
  pausedCabinetId: number;
  storeId: number;
  /** No cabinet stands in it. */
  emptyStoreId: number;
  /** An account of the tenant. */
  operatorId: number;
  /** Maintenance staff of the store below without a role: one at work, one disabled. */
  staffId: number;
  disabledStaffId: number;
  /** A role that nobody has; its members would see the store above. */
  roleId: number;
  /** One command, settled. */
  commandId: string;
  /** A new device in stock, and one that is the tenant's but not in service yet. */
  stockId: number;
  assignedStockId: number;
  /** Platform-wide: they belong to no tenant. */
  modelId: number;
  /** A model that no cabinet is of. */
  spareModelId: number;
  menuEntryId: number;
  /** Of `modelId`: one that is released, one that is a draft; and a file that none is made of. */
  firmwareId: number;
  draftFirmwareId: number;
  firmwareFileId: string;
  /** Of somebody who asked for it and nobody else. */
  exportId: string;
  /** Of parameters: one runs, one pauses, one stopped at a failure. */
  rolloutId: number;
  pausedRolloutId: number;
  stoppedRolloutId: number;
  /** Goods of this end user lie in compartment 3 of the first cabinet. */
  endUserId: number;
  orderId: number;
  /** Of the same tenant: has nothing and owes nothing; and a tag that the first one has. */
  spareUserId: number;
  tagId: number;
  /** What was paid into their wallet. */
  journalId: number;
  /** Paid by WeChat; a difference of the work list, and one of money for a closed top-up. */
  topUpId: number;
  differenceId: number;
  creditableId: number;
  /** With the code of that order. */
  smsId: number;
  /** About the same order, and refused by the carrier. */
  refusedSmsId: number;
  /** What the tenant bought of text messages, and a fault that its first account was told of. */
  smsRechargeId: number;
  malfunctionId: number;
  /** At the second cabinet: one that is being worked on, with its photo, and one that is over. */
  workedMalfunctionId: number;
  resolvedMalfunctionId: number;
  malfunctionPhotoId: string;
  noticeId: number;
  /** A package on sale, and a card of another one that this end user bought. */
  packageId: number;
  userPackageId: number;
  /** A 充值赠送 on sale: 50 yuan and 5 on top. */
  bonusPackageId: number;
  /** A picture of the tenant that is nobody's logo yet. */
  logoFileId: string;
  /** One advert that is on, one that is a draft, and a picture that none is made of. */
  shownAdvertId: number;
  draftAdvertId: number;
  advertFileId: string;
  /** Announcements: one that all accounts see, a draft, one for the people of the app, one of the platform. */
  announcementId: number;
  draftAnnouncementId: number;
  appAnnouncementId: number;
  platformAnnouncementId: number;
  /** A picture of the last but one and of the question; a category with that and one without any. */
  noticeImageId: string;
  faqId: number;
  faqCategoryId: number;
  spareFaqCategoryId: number;
  /** The platform's; hidden by the tenant. */
  platformFaqId: number;
  /** An endpoint in use, a paused one, something that nobody got, a third party's program. */
  callbackId: number;
  pausedCallbackId: number;
  callbackDeliveryId: number;
  callbackAppId: number;
  /** A third party's application whose order the one above is, one that is disabled; a call of the first. */
  openAppId: number;
  disabledOpenAppId: number;
  openCallId: number;
  /** Something that was done in it, and the session of one of its accounts. */
  auditEntryId: number;
  sessionId: number;
}

export interface CallRow {
  input: (ids: Ids) => CallInput;
  /** Where even the right account is refused: part of what it is told. */
  refusal?: string;
  /** It counts at every store, so that who sees some of them alone is refused. */
  isForAllStores?: true;
}

export const reason = "用户忘记取件码";
export const nothing = () => ({});

/** The kinds of ids that a row's input names. */
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
