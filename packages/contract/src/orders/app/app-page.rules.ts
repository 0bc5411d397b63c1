// Pure rules of the web page for riders and recipients: its addresses, malfunction reports and their limits.
import { fittingCode } from "../../kit/text.rules.ts";
import { SN_PATTERN } from "../../vocabulary/hardware.rules.ts";
import type { MalfunctionKind } from "../../vocabulary/malfunction.rules.ts";

/** Path below which the server has the page's files. */
export const WEB_PAGE_BASE = "/m/";

/** Address in the QR code on a cabinet. */
export function cabinetPagePath(sn: string): string {
  return `${WEB_PAGE_BASE}c/${encodeURIComponent(sn)}`;
}

const SN = new RegExp(SN_PATTERN);

/** Number in a scanned or typed code: its address, or on older labels the number alone; null for anything else. */
export function snOfCode(code: string): string | null {
  const [, sn = code] = /^https?:\/\/[^/]+\/m\/c\/(\w+)\/?$/i.exec(code.trim()) ?? [];
  const number = fittingCode(sn.toUpperCase(), SN);
  return SN.test(number) ? number : null;
}

/** Console page of the cabinet, behind the sign-in of staff. */
export function staffCabinetPath(sn: string): string {
  return `/cupboard/blockManage?sn=${encodeURIComponent(sn)}`;
}

/** Address of a tenant's page, without a cabinet. */
export function tenantPagePath(tenantCode: string): string {
  return `${WEB_PAGE_BASE}t/${tenantCode}`;
}

/** Number and MAC of a tenant; older links carry the number alone. */
export const TENANT_CODE_PATTERN = "^[1-9]\\d{0,8}-[\\w-]{11}$";

/** Kinds that a person in front of a cabinet can tell apart. */
export const APP_MALFUNCTION_KINDS = [
  "OPEN_FAILED",
  "DOOR_LEFT_OPEN",
  "OCCUPANCY_ABNORMAL",
  "OTHER",
] as const satisfies readonly MalfunctionKind[];
export type AppMalfunctionKind = (typeof APP_MALFUNCTION_KINDS)[number];

/** Most photos of one report. */
export const MAX_REPORT_PHOTOS = 3;

/** Reports call people out; photos take space of the tenant. */
export const REPORTS_PER_DAY = 10;
export const REPORT_PHOTOS_PER_DAY = 30;
