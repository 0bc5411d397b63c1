// HTTP routes of tenant settings.
import { tenantSettingContract } from "@cabinet/contract/organization/tenant-setting/tenant-setting.contract.ts";
import { mount } from "../../../platform/http/mount.ts";
import {
  getLogo,
  getSetting,
  getShellSetting,
  saveSetting,
  uploadLogo,
} from "./tenant-setting.service.ts";

/** `hasSharedMap`: the installation has a map key for all tenants. */
export function tenantSettingRoutes(hasSharedMap: boolean) {
  return mount(tenantSettingContract, {
    setting: (ctx, { query }) => getSetting(ctx, hasSharedMap, query.tenantId),
    saveSetting: (ctx, { body }) => saveSetting(ctx, body),
    uploadLogo: (ctx, { body }) => uploadLogo(ctx, body),
    logo: (ctx, { params }) => getLogo(ctx, params.fileId),
    shell: (ctx) => getShellSetting(ctx),
  });
}
