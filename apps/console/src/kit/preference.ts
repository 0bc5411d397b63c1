// Synchronizes a user's preferences: applies those from other browsers and saves local changes.
import {
  accountContract,
  type Preference,
} from "@cabinet/contract/identity/account/account.contract.ts";
import { SWITCHES } from "@cabinet/contract/identity/account/account.rules.ts";
import { useEffect } from "react";
import { type CallInput, call } from "./api.ts";
import { adoptColumns, COLUMNS, columnChoices } from "./column-settings.ts";
import { ApiError } from "./errors.ts";
import { mergeColumns } from "./preference.rules.ts";
import { invalidate, useCall } from "./query.ts";
import { useIsImpersonating, useSession } from "./session.ts";
import { adoptSwitch, isSwitchedOn } from "./switches.ts";
import { adoptTheme, currentTheme, THEME } from "./theme.ts";
import { markSaved, markUnsaved, onUnsaved, unsavedNames } from "./unsaved.ts";

/** Debounce: changes in quick succession are saved together. */
const SOON_MS = 800;
const AGAIN_MS = 30_000;
const STALE_MS = 60_000;
/** Maximum number of changes in one request. */
const AT_ONCE = 50;

function adopt({ theme, columns, ...switches }: Preference): void {
  const waiting = unsavedNames();
  if (theme && theme !== currentTheme() && !waiting.includes(THEME)) adoptTheme(theme);
  for (const name of SWITCHES) {
    if (!waiting.includes(name)) adoptSwitch(name, switches[name] === true);
  }
  const lists = waiting.filter((name) => name.startsWith(COLUMNS));
  const merged = mergeColumns(
    columnChoices(),
    lists.map((name) => name.slice(COLUMNS.length)),
    columns,
  );
  for (const [list, settings] of Object.entries(merged.columns)) adoptColumns(list, settings);
  const unsavedKeys = merged.unsaved.map((list) => `${COLUMNS}${list}`);
  if (unsavedKeys.length > lists.length) markUnsaved(...unsavedKeys);
}

type Body = CallInput<typeof accountContract.savePreference>["body"];

function bodyOf(names: readonly string[]): Body {
  const choices = columnChoices();
  const columns = names
    .filter((name) => name.startsWith(COLUMNS))
    .map((name) => {
      const list = name.slice(COLUMNS.length);
      const choice = choices[list];
      return {
        list,
        choice: choice
          ? {
              hidden: [...choice.hidden],
              order: [...choice.order],
              ...(choice.filters && { filters: [...choice.filters] }),
            }
          : null,
      };
    });
  return {
    ...(names.includes(THEME) && { theme: currentTheme() }),
    ...Object.fromEntries(
      SWITCHES.filter((name) => names.includes(name)).map((name) => [name, isSwitchedOn(name)]),
    ),
    ...(columns.length > 0 && { columns }),
  };
}

/** Saves pending changes; returns the milliseconds until the next attempt, null when nothing is left. */
async function save(): Promise<number | null> {
  const names = unsavedNames().slice(0, AT_ONCE);
  if (names.length === 0) return null;
  const body = bodyOf(names);
  try {
    await call(accountContract.savePreference, { body });
  } catch (error) {
    // A refused change is dropped: the server would refuse it again.
    if (!(error instanceof ApiError && error.kind === "refused")) return AGAIN_MS;
  }
  // Changes made during the request stay unsaved.
  if (JSON.stringify(bodyOf(names)) === JSON.stringify(body)) markSaved(names);
  await invalidate(accountContract.preference);
  return unsavedNames().length === 0 ? null : SOON_MS;
}

/** Used once, by the shell of a signed-in user. */
export function usePreferences(): void {
  const account = useSession()?.username ?? null;
  const isAway = useIsImpersonating() || account === null;
  const { data } = useCall(
    accountContract.preference,
    {},
    { enabled: !isAway, staleTime: STALE_MS },
  );
  useEffect(() => {
    if (data) adopt(data);
  }, [data]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: unsaved changes belong to the account that made them.
  useEffect(() => {
    if (isAway) return;
    let timer: ReturnType<typeof setTimeout>;
    let isSaving = false;
    let isOver = false;
    const saveIn = (ms: number) => {
      clearTimeout(timer);
      timer = setTimeout(saveNow, ms);
    };
    const saveNow = async () => {
      if (isSaving) return saveIn(SOON_MS);
      isSaving = true;
      const nextMs = await save();
      isSaving = false;
      if (nextMs !== null && !isOver) saveIn(nextMs);
    };
    const saveSoon = () => saveIn(SOON_MS);
    const stop = onUnsaved(saveSoon);
    window.addEventListener("online", saveSoon);
    saveSoon();
    return () => {
      isOver = true;
      clearTimeout(timer);
      stop();
      window.removeEventListener("online", saveSoon);
    };
  }, [isAway, account]);
}
