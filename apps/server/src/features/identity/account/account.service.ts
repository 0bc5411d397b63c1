// 个人设置 (personal settings): a person's actions on their own account.
import type {
  accountContract,
  OwnSession,
  OwnSignIn,
  Preference,
  Profile,
} from "@cabinet/contract/identity/account/account.contract.ts";
import {
  MOST_PREFERENCES,
  SWITCHES,
  type SwitchName,
} from "@cabinet/contract/identity/account/account.rules.ts";
import { deviceOf } from "@cabinet/contract/identity/login-log/user-agent.rules.ts";
import type { Input } from "@cabinet/contract/kit/endpoint.ts";
import type { Page } from "@cabinet/contract/kit/pagination.ts";
import { maskPhone } from "@cabinet/contract/kit/phone.rules.ts";
import { type Ctx, isVisit } from "../../../platform/context.ts";
import { refuse } from "../../../platform/errors.ts";
import { recheckSessions } from "../../../platform/http/live.ts";
import { deleteOtherSessions, lockDisplayNameOrRefuse, updateProfile } from "../auth/index.ts";
import * as repo from "./account.sql.ts";

export async function getProfile({ db, session }: Ctx): Promise<Profile | null> {
  const profile = await repo.findProfile(db, session);
  return profile && { ...profile, phone: maskPhone(profile.phone) };
}

export async function saveProfile(
  ctx: Ctx,
  { editVersion, ...draft }: Input<typeof accountContract.saveProfile>["body"],
): Promise<null> {
  const { db, session } = ctx;
  const before = await repo.lockProfile(db, session);
  if (!before) refuse("NOT_FOUND", { what: "账号" });
  if (before.editVersion !== editVersion) refuse("CONFLICT", { what: "您的资料" });
  const after = { displayName: draft.displayName.trim(), phone: draft.phone ?? before.phone };
  const key = { tenantId: session.homeTenantId, operatorId: session.operatorId };
  await lockDisplayNameOrRefuse(db, key, after.displayName, before.displayName);
  await updateProfile(db, session, after);
  const shown = ({ displayName, phone }: typeof after) => ({
    displayName,
    phone: maskPhone(phone),
  });
  ctx.audit({ target: targetOf(ctx), before: shown(before), after: shown(after) });
  return null;
}

const targetOf = ({ session }: Ctx) => `账号 ${session.username}`;

function withDevice<Row extends { userAgent: string | null }>({ userAgent, ...row }: Row) {
  return { ...row, device: deviceOf(userAgent) };
}

export async function listSessions({ db, session }: Ctx): Promise<OwnSession[]> {
  return (await repo.findSessions(db, session)).map(withDevice);
}

export async function getNewDevice({ db, session }: Ctx): Promise<OwnSignIn | null> {
  const found = isVisit(session) ? null : await repo.findNewDevice(db, session);
  return found && withDevice(found);
}

export async function listSignIns(
  { db, session }: Ctx,
  query: Input<typeof accountContract.signIns>["query"],
): Promise<Page<OwnSignIn>> {
  const page = await repo.findSignIns(db, session, query);
  return { ...page, list: page.list.map(withDevice) };
}

export async function endOtherSessions(ctx: Ctx): Promise<{ ended: number }> {
  const { db, session } = ctx;
  const ended = await deleteOtherSessions(db, session);
  const { tenantId, operatorId } = session;
  await recheckSessions(db, { tenantId, operatorId });
  ctx.audit({ target: targetOf(ctx), after: { ended } });
  return { ended };
}

const THEME = "theme";
const COLUMNS = "columns:";

function preferenceOf(rows: repo.PreferenceRow[]): Preference {
  const chosen = (wanted: string) => rows.find(({ name }) => name === wanted)?.value ?? null;
  return {
    theme: chosen(THEME) as Preference["theme"],
    ...(Object.fromEntries(SWITCHES.map((name) => [name, chosen(name)])) as Pick<
      Preference,
      SwitchName
    >),
    columns: rows
      .filter(({ name }) => name.startsWith(COLUMNS))
      .map(({ name, value }) => ({
        list: name.slice(COLUMNS.length),
        choice: value as Preference["columns"][number]["choice"],
      })),
  };
}

export async function getPreference({ db, session }: Ctx): Promise<Preference> {
  return preferenceOf(await repo.findPreferences(db, session));
}

export async function savePreference(
  ctx: Ctx,
  { theme, columns = [], ...switches }: Input<typeof accountContract.savePreference>["body"],
): Promise<null> {
  const rows: repo.PreferenceRow[] = [
    ...(theme ? [{ name: THEME, value: theme }] : []),
    ...Object.entries(switches).map(([name, value]) => ({ name, value })),
    ...columns.map(({ list, choice }) => ({ name: `${COLUMNS}${list}`, value: choice })),
  ];
  const known = await repo.findPreferences(ctx.db, ctx.session);
  const names = new Set([...known, ...rows].map(({ name }) => name));
  if (names.size > MOST_PREFERENCES) {
    refuse("PREFERENCES_LIMIT", { max: MOST_PREFERENCES });
  }
  await repo.writePreferences(ctx.db, ctx.session, rows);
  const changed = new Set(rows.map(({ name }) => name));
  ctx.audit({
    target: `界面偏好 ${ctx.session.username}`,
    before: preferenceOf(known.filter(({ name }) => changed.has(name))),
    after: preferenceOf(rows),
  });
  return null;
}
