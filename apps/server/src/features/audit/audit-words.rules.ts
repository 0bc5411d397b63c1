// Chinese texts for coded values in audit entries, by the call's noun or by the field alone.
import { storeScopeText } from "@cabinet/contract/access/role.rules.ts";
import {
  advertPhaseText,
  advertPositionText,
  advertStateText,
  targetKindText,
} from "@cabinet/contract/advert/advert.rules.ts";
import { lifecycleText } from "@cabinet/contract/cabinet/cabinet.rules.ts";
import { capabilityText, sideText } from "@cabinet/contract/cabinet-model/cabinet-model.rules.ts";
import { commandKindText } from "@cabinet/contract/command/command.rules.ts";
import {
  adminStateText,
  doorSideText,
  itemStateText,
  occupancyText,
  sizeText,
} from "@cabinet/contract/compartment/compartment.rules.ts";
import { stockStateText } from "@cabinet/contract/device-stock/device-stock.rules.ts";
import { endUserStateText, tagColorText } from "@cabinet/contract/end-user/end-user.rules.ts";
import { firmwareStateText } from "@cabinet/contract/firmware/firmware.rules.ts";
import { type ErrorCode, errorTable } from "@cabinet/contract/kit/errors.ts";
import { payChannelText } from "@cabinet/contract/ledger/ledger.rules.ts";
import { pushModeText } from "@cabinet/contract/mini-program/mini-program.rules.ts";
import { openPurposeText, orderStateText } from "@cabinet/contract/order/order.rules.ts";
import { orderFaultText } from "@cabinet/contract/order/order-action.contract.ts";
import { packageKindText } from "@cabinet/contract/package/package.rules.ts";
import { differenceKindText } from "@cabinet/contract/reconciliation/reconciliation.rules.ts";
import { rolloutKindText, rolloutStateText } from "@cabinet/contract/rollout/rollout.rules.ts";
import { tenantStateText } from "@cabinet/contract/tenancy/tenancy.rules.ts";

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
