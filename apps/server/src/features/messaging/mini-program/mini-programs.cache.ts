// Cache of the tenants' mini-program clients, each with its unsealed secret and its access token.
import type { Database } from "../../../platform/db/db.ts";
import type { Vault } from "../../../platform/secrets.ts";
import { findSetting, type SettingRow } from "./mini-program-setting.sql.ts";
import {
  type MiniProgramService,
  WECHAT_URL,
  WechatMiniProgram,
} from "./wechat-mini-program.client.ts";

/** Sealing context of each secret. */
export const sealedFor = (tenantId: number) => `mini-program secret ${tenantId}`;
export const pushTokenSealedFor = (tenantId: number) => `mini-program push token ${tenantId}`;
export const pushKeySealedFor = (tenantId: number) => `mini-program push key ${tenantId}`;

interface MiniProgramSecrets {
  secret: string;
  pushToken?: string | undefined;
  pushKey?: string | undefined;
}

/** Null: the secret is not set. */
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
  readonly #origin: string;
  readonly #known = new Map<number, OpenMiniProgram>();

  /** Another origin is for tests only. */
  constructor(origin: string = WECHAT_URL) {
    this.#origin = origin;
  }

  /** Null for a tenant without a setting or an unknown tenant. */
  async open(database: Database, tenantId: number): Promise<OpenMiniProgram | null> {
    const setting = await database.read({ tenantId }, (db) => findSetting(db, tenantId));
    if (!setting) return null;
    const known = this.#known.get(tenantId);
    if (known?.setting.editVersion === setting.editVersion) return known;
    const secret = database.vault.open(setting.sealedSecret, sealedFor(tenantId));
    const service = new WechatMiniProgram({ appId: setting.appId, secret }, this.#origin);
    const opened = { setting, service };
    this.#known.set(tenantId, opened);
    return opened;
  }
}
