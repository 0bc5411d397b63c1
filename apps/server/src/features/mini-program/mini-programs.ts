// The mini-programs of tenants: each with its secret unsealed, and the token that WeChat gave for it.
import type { Database } from "../../platform/db.ts";
import type { Vault } from "../../platform/secrets.ts";
import { findSetting, type SettingRow } from "./mini-program-setting.sql.ts";
import { type MiniProgramService, WECHAT_URL, WechatMiniProgram } from "./wechat-mini-program.ts";

/** What each secret is sealed for. */
export const sealedFor = (tenantId: number) => `mini-program secret ${tenantId}`;
export const pushTokenSealedFor = (tenantId: number) => `mini-program push token ${tenantId}`;
export const pushKeySealedFor = (tenantId: number) => `mini-program push key ${tenantId}`;

interface MiniProgramSecrets {
  secret: string;
  pushToken?: string | undefined;
  pushKey?: string | undefined;
}

/** Null: that one is not given. */
export function sealMiniProgram(vault: Vault, tenantId: number, secrets: MiniProgramSecrets) {
  const { secret, pushToken, pushKey } = secrets;
  return {
    secret: vault.seal(secret, sealedFor(tenantId)),
    pushToken: pushToken ? vault.seal(pushToken, pushTokenSealedFor(tenantId)) : null,
    pushKey: pushKey ? vault.seal(pushKey, pushKeySealedFor(tenantId)) : null,
  };
}

export interface OpenMiniProgram {
  setting: SettingRow;
  service: MiniProgramService;
}

export class MiniPrograms {
  readonly #vault: Vault;
  readonly #origin: string;
  readonly #known = new Map<number, OpenMiniProgram>();

  /** WeChat is elsewhere in tests alone. */
  constructor(vault: Vault, origin: string = WECHAT_URL) {
    this.#vault = vault;
    this.#origin = origin;
  }

  /** Null for a tenant without a setting, or none at all. */
  async open(database: Database, tenantId: number): Promise<OpenMiniProgram | null> {
    const setting = await database.read({ tenantId }, (db) => findSetting(db, tenantId));
    if (!setting) return null;
    const known = this.#known.get(tenantId);
    if (known?.setting.editVersion === setting.editVersion) return known;
    const secret = this.#vault.open(setting.sealedSecret, sealedFor(tenantId));
    const service = new WechatMiniProgram({ appId: setting.appId, secret }, this.#origin);
    const opened = { setting, service };
    this.#known.set(tenantId, opened);
    return opened;
  }
}
