// `./storage account`: the way back in for whoever administers the machine.
import os from "node:os";
import { parseArgs } from "node:util";
import {
  operatorStateText,
  userTypeText,
} from "@cabinet/contract/identity/operator/operator.rules.ts";
import { shanghaiMinute } from "@cabinet/contract/kit/shanghai.rules.ts";
import type pg from "pg";
import {
  findAccountsOf,
  removeFactorByHost,
  resetByHost,
  unlockByHost,
} from "../features/identity/operator/index.ts";
import { PLATFORM_TENANT_ID } from "../features/organization/tenant/index.ts";
import { commandOf, complain, say, terminalLog } from "../platform/command-line.ts";
import { requireSchema } from "../platform/db/migrate.ts";
import { readSettings, SettingsError } from "../platform/env.ts";
import { Refusal } from "../platform/errors.ts";
import { asOwner, inTransaction } from "./owner.ts";

const account = commandOf("account");

export const ACCOUNT_HELP = `  ${account} list [租户编号]
      列出一个租户的账号；不写编号时是平台自己的。
  ${account} reset 账号
      重置密码：结束它的登录，打印一次性密码。登录后须修改。
  ${account} unlock 账号
      解除登录失败次数过多的限制。
  ${account} remove-second-factor 账号
      清除两步验证（手机和恢复码都丢失时）：结束它的登录，下次登录后重新设置。
      以上操作都记入操作审计，操作人是“主机”。服务不用停。
`;
const USAGE = `用法：\n${ACCOUNT_HELP}`;

export async function runAccount(args: string[]): Promise<void> {
  const [action = "", name, ...rest] = parseArgs({ args, allowPositionals: true }).positionals;
  if (rest.length > 0) throw new SettingsError(USAGE);
  if (action === "list") return list(name);
  if (name === undefined) throw new SettingsError(USAGE);
  const by = process.env.SUDO_USER ?? userName();
  const request = { username: name, by };
  if (action === "reset") {
    const { password, account: found } = await withDatabase((db) => resetByHost(db, request));
    say(`账号 ${found.username}（${found.displayName}）的一次性密码：${password}`);
    say("  （只显示这一次，登录后须修改；它原来的登录都已结束）");
    if (found.isDisabled) complain("  注意：这个账号已停用，请由其他管理员启用");
  } else if (action === "unlock") {
    const { username } = await withDatabase((db) => unlockByHost(db, request));
    say(`已解除账号 ${username} 的登录限制`);
  } else if (action === "remove-second-factor") {
    const { username } = await withDatabase((db) => removeFactorByHost(db, request));
    say(`已清除账号 ${username} 的两步验证，它原来的登录都已结束`);
  } else throw new SettingsError(USAGE);
}

async function list(tenant = String(PLATFORM_TENANT_ID)): Promise<void> {
  if (!/^[1-9]\d{0,8}$/.test(tenant)) throw new SettingsError(USAGE);
  const accounts = await withDatabase((db) => findAccountsOf(db, Number(tenant)));
  if (accounts.length === 0) throw new SettingsError(`租户 ${tenant} 没有账号`);
  for (const each of accounts) {
    const { username, displayName, state, hasSecondFactor, lastSignInAt } = each;
    const kind = userTypeText[each.userType];
    const factor = hasSecondFactor ? "有两步验证" : "无两步验证";
    const last = lastSignInAt ? `最近登录 ${shanghaiMinute(lastSignInAt)}` : "从未登录";
    say([username, displayName, kind, operatorStateText[state], factor, last].join("  "));
  }
}

/** A container may run as a user without a name. */
function userName(): string {
  try {
    return os.userInfo().username;
  } catch {
    return String(process.getuid?.());
  }
}

/** Refusals are of the API; their texts are for people. */
async function withDatabase<Result>(work: Parameters<typeof inTransaction<Result>>[1]) {
  return asOwner(readSettings(process.env), terminalLog, async (client: pg.Client) => {
    await requireSchema(client);
    return inTransaction(client, work);
  }).catch((error: unknown) => {
    throw error instanceof Refusal ? new SettingsError(error.text) : error;
  });
}
