// Chinese texts for coded values in audit entries, by the call's noun or by the field alone.

import { capabilityText } from "@cabinet/contract/equipment/cabinet-model/cabinet-model.rules.ts";
import { stockStateText } from "@cabinet/contract/equipment/device-stock/device-stock.rules.ts";
import {
  advertPhaseText,
  advertPositionText,
  advertStateText,
  targetKindText,
} from "@cabinet/contract/fleet/advert/advert.rules.ts";
import { lifecycleText } from "@cabinet/contract/fleet/cabinet/cabinet.rules.ts";
import { commandKindText } from "@cabinet/contract/fleet/command/command.rules.ts";
import { firmwareStateText } from "@cabinet/contract/fleet/firmware/firmware.rules.ts";
import {
  rolloutKindText,
  rolloutStateText,
} from "@cabinet/contract/fleet/rollout/rollout.rules.ts";
import { storeScopeText } from "@cabinet/contract/identity/access/role.rules.ts";
import { tenantStateText } from "@cabinet/contract/identity/tenancy/tenancy.rules.ts";
import { type ErrorCode, errorTable } from "@cabinet/contract/kit/errors.ts";
import { pushModeText } from "@cabinet/contract/messaging/mini-program/mini-program.rules.ts";
import { payChannelText } from "@cabinet/contract/money/ledger/ledger.rules.ts";
import { packageKindText } from "@cabinet/contract/money/package/package.rules.ts";
import { differenceKindText } from "@cabinet/contract/money/reconciliation/reconciliation.rules.ts";
import {
  endUserStateText,
  tagColorText,
} from "@cabinet/contract/orders/end-user/end-user.rules.ts";
import { openPurposeText } from "@cabinet/contract/orders/order/order.rules.ts";
import { orderFaultText } from "@cabinet/contract/orders/order/order-action.contract.ts";
import {
  adminStateText,
  doorSideText,
  itemStateText,
  occupancyText,
  sideText,
  sizeText,
} from "@cabinet/contract/vocabulary/hardware.rules.ts";
import { orderStateText } from "@cabinet/contract/vocabulary/order.rules.ts";

type Words = Readonly<Record<string, string>>;

const ofField: Readonly<Record<string, Words>> = {
  adminState: adminStateText,
  capabilities: Object.fromEntries(
    Object.entries(capabilityText).map(([word, { name }]) => [word, name]),
  ),
  channel: payChannelText,
  color: tagColorText,
  fault: orderFaultText,
  lifecycle: lifecycleText,
  pushMode: pushModeText,
  item: itemStateText,
  occupancy: occupancyText,
  phase: advertPhaseText,
  position: advertPositionText,
  purpose: openPurposeText,
  side: { ...sideText, ...doorSideText },
  sides: sideText,
  size: sizeText,
  storeScope: storeScopeText,
  targetKind: targetKindText,
};

const ofNoun: Readonly<Record<string, Words>> = {
  "access.kind": { MENU: "菜单", BUTTON: "按钮" },
  "advert.kind": { IMAGE: "图片", VIDEO: "视频" },
  "advert.state": advertStateText,
  "advert.step": { up: "上移", down: "下移" },
  "command.kind": commandKindText,
  "device-stock.state": stockStateText,
  "end-user.state": endUserStateText,
  "firmware.state": firmwareStateText,
  "order-deed.state": orderStateText,
  "package.kind": packageKindText,
  "reconciliation.kind": differenceKindText,
  "rollout.kind": rolloutKindText,
  "rollout.state": rolloutStateText,
  "tenancy.state": tenantStateText,
};

const refusalText = (word: string) => errorTable[word as ErrorCode]?.text;

/** The value with its codes in Chinese where a text is known. */
export function inWords(noun: string | undefined, field: string, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => inWords(noun, field, item));
  if (typeof value !== "string") return value;
  if (field === "refused") return refusalText(value) ?? value;
  return ofNoun[`${noun}.${field}`]?.[value] ?? ofField[field]?.[value] ?? value;
}
