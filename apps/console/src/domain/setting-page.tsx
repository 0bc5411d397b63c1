// Page of a setting with credentials for an external service: current values, connection check,
// form.
import {
  type SettingCheckState,
  settingCheckText,
} from "@cabinet/contract/kit/setting-check.rules.ts";
import { type ReactNode, useEffect, useState } from "react";
import { useSearchParams } from "react-router";
import { useIsPlatform } from "../kit/permission.ts";
import { Button } from "../ui/display/button.tsx";
import { copyWithToast } from "../ui/display/copy-text.ts";
import { PageCard } from "../ui/display/page-card.tsx";
import { EmptyState, ErrorState } from "../ui/display/states.tsx";
import { Age, Status } from "../ui/display/status.tsx";
import type { Tone } from "../ui/display/tone.rules.ts";
import { TenantSelect } from "./tenant/tenant-select.tsx";
import "../ui/display/basics.css";
import "./setting-page.css";

const POLL_MS = 1_500;

/** Properties common to all such settings. */
export interface CheckedSetting {
  /** Absent: the setting belongs to the whole installation, so there is no tenant choice. */
  tenantId?: number;
  checkState: SettingCheckState;
  checkText: string;
  checkedAt: string | null;
  /** 0: nothing is configured yet. */
  editVersion: number;
}

export interface SettingPageProps<Setting extends CheckedSetting> {
  title: string;
  /**
   * Replaces the title if this is one view of a page; the setting then belongs to the installation.
   */
  views?: ReactNode;
  answer: { data: Setting | undefined; error: Error | null; refetch: () => Promise<unknown> };
  mayWrite: boolean;
  check: { isBusy: boolean; ask: () => void };
  /** Shown while the check is running. */
  pendingText: string;
  /** Shown while nothing is configured. */
  empty: { title: string; hint: string };
  form: (frame: { open: boolean; setting: Setting; onClose: () => void }) => ReactNode;
  children: (setting: Setting) => ReactNode;
}

/** Tenant chosen by platform staff; undefined for everybody else. */
export function useSettingTenant(): number | undefined {
  const isPlatform = useIsPlatform();
  const [params] = useSearchParams();
  return isPlatform ? Number(params.get("tenantId")) || undefined : undefined;
}

export function SettingPage<Setting extends CheckedSetting>(props: SettingPageProps<Setting>) {
  const { title, views, answer, mayWrite, check, pendingText, empty, form, children } = props;
  const { data: setting, error, refetch } = answer;
  const [isEditing, setIsEditing] = useState(false);
  // Setting when the form was opened: its `editVersion` makes a concurrent save by others fail.
  const [edited, setEdited] = useState<Setting | null>(null);
  const edit = () => {
    setEdited(setting ?? null);
    setIsEditing(true);
  };
  const isPending = setting?.checkState === "PENDING";
  useEffect(() => {
    if (!isPending) return;
    const timer = setInterval(() => void refetch(), POLL_MS);
    return () => clearInterval(timer);
  }, [isPending, refetch]);
  const isSet = (setting?.editVersion ?? 0) > 0;
  const head = (
    <span className="ui-setting-head">
      {!views && <TenantChoice current={setting?.tenantId} />}
      {isSet && mayWrite && (
        <>
          <Button loading={isPending || check.isBusy} onClick={check.ask}>
            验证配置
          </Button>
          <Button type="primary" onClick={edit}>
            修改
          </Button>
        </>
      )}
    </span>
  );
  return (
    <PageCard className="ui-card-full" {...(!views && { title, extra: head })}>
      {views && (
        <header className="ui-setting-views">
          {views}
          {head}
        </header>
      )}
      {error && !setting ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : !setting ? (
        <output className="ui-cell-none">正在加载…</output>
      ) : isSet ? (
        <div className="ui-setting">
          <Check setting={setting} pendingText={pendingText} />
          {children(setting)}
        </div>
      ) : (
        <EmptyState title={empty.title} hint={empty.hint}>
          {mayWrite && (
            <Button type="primary" onClick={edit}>
              填写配置
            </Button>
          )}
        </EmptyState>
      )}
      {edited && form({ open: isEditing, setting: edited, onClose: () => setIsEditing(false) })}
    </PageCard>
  );
}

/** Lets platform staff choose the tenant of the setting. */
export function TenantChoice({ current }: { current: number | undefined }) {
  const isPlatform = useIsPlatform();
  const chosen = useSettingTenant() ?? current;
  const [, setParams] = useSearchParams();
  if (!isPlatform) return null;
  return (
    <TenantSelect
      label="租户"
      {...(chosen && { value: chosen })}
      onChange={(id) => setParams(id ? { tenantId: String(id) } : {})}
    />
  );
}

const checkTone: Record<SettingCheckState, Tone> = {
  NONE: "quiet",
  PENDING: "waiting",
  OK: "good",
  FAILED: "bad",
};

const unchecked = "配置未经验证，可点击“验证配置”";

function Check({ setting, pendingText }: { setting: CheckedSetting; pendingText: string }) {
  const { checkState, checkText, checkedAt } = setting;
  return (
    <section className="ui-setting-check" data-state={checkState} role="status">
      <Status tone={checkTone[checkState]}>{settingCheckText[checkState]}</Status>
      <span className="ui-setting-check-text">
        {checkState === "PENDING" ? pendingText : checkState === "NONE" ? unchecked : checkText}
      </span>
      {checkedAt && checkState !== "PENDING" && <Age time={checkedAt} />}
    </section>
  );
}

/** Value to paste into the external service's settings. */
export function Copyable({ text }: { text: string }) {
  return (
    <span className="ui-setting-copyable">
      <code>{text}</code>
      <button
        type="button"
        className="ui-link"
        aria-label={`复制 ${text}`}
        onClick={() => void copyWithToast(text)}
      >
        复制
      </button>
    </span>
  );
}
