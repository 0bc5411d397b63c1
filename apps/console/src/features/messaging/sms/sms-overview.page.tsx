// 统计概览 of text messages: balance and runway, sent and delivered counts, failure reasons.
import { smsCarrierText } from "@cabinet/contract/messaging/sms/sms-carrier.rules.ts";
import { smsCreditContract } from "@cabinet/contract/messaging/sms/sms-credit.contract.ts";
import {
  type SmsOverview,
  smsStatisticsContract,
} from "@cabinet/contract/messaging/sms/sms-statistics.contract.ts";
import {
  type DaySpan,
  daysOf,
  MAX_DAYS,
  spanBefore,
  spanOf,
} from "@cabinet/contract/operations/statistics/statistics.rules.ts";
import Alert from "antd/es/alert";
import { dayRangeFilter } from "../../../domain/day-range-filter.tsx";
import { useTenantFilter } from "../../../domain/tenant/tenant-filter.ts";
import { ViewSwitch } from "../../../domain/view-switch.tsx";
import { Link } from "../../../kit/paths.ts";
import { useIsPlatform } from "../../../kit/permission.ts";
import { invalidate, useCall } from "../../../kit/query.ts";
import { LoadingLines } from "../../../ui/display/one-record.tsx";
import { PageCard } from "../../../ui/display/page-card.tsx";
import { ErrorState } from "../../../ui/display/states.tsx";
import { FilterBar } from "../../../ui/list/filter-bar.tsx";
import { RefreshButton, StaleNote } from "../../../ui/list/list-parts.tsx";
import { useListState } from "../../../ui/list/list-state.ts";
import { MenuBar } from "../../../ui/list/menu-bar.tsx";
import { LiveBadge } from "../../../ui/live/live.tsx";
import { SmsFailures, SmsScenarios } from "./sms-breakdown.tsx";
import { SmsFigures } from "./sms-figures.tsx";
import { SmsTenants } from "./sms-tenants.tsx";
import { SmsTrend } from "./sms-trend.tsx";
import "../../../ui/display/basics.css";
import "./sms.css";

const { overview, tenants } = smsStatisticsContract;

const refresh = () =>
  invalidate(overview, tenants, smsCreditContract.info, smsCreditContract.infoOf);

const spanText = ({ from, to }: DaySpan) => (from === to ? from : `${from} 至 ${to}`);

export default function SmsOverviewPage() {
  const isPlatform = useIsPlatform();
  const state = useListState();
  const tenantFilter = useTenantFilter(tenants);
  const now = Date.now();
  const usual = spanOf({}, now) as DaySpan;
  const { from, to } = state.texts;
  const tenantId = Number(state.texts.tenantId) || undefined;
  const span = spanOf({ from: from || undefined, to: to || undefined }, now) ?? usual;
  const query = { ...span, ...(tenantId && { tenantId }) };
  const answer = useCall(overview, { query }, { keepPreviousData: true });
  const { data, error } = answer;
  const byTenant = tenantFilter ? [tenantFilter] : [];
  const filters = [dayRangeFilter({ label: "日期", usual, most: MAX_DAYS }), ...byTenant];
  return (
    <>
      <PageCard>
        <ViewSwitch />
        <FilterBar
          filters={filters}
          texts={state.texts}
          onFilter={state.filter}
          onAgain={refresh}
          isBusy={answer.isFetching}
        />
        <MenuBar
          left={
            <p className="sms-span">
              {spanText(span)}，共 {daysOf(span)} 天；对比上期 {spanText(spanBefore(span))}
            </p>
          }
          right={
            <>
              <StaleNote since={error && data ? answer.dataUpdatedAt : null} />
              <LiveBadge topic="sms" refresh={refresh} hasFailed={error !== null} />
              <RefreshButton isBusy={answer.isFetching} onRefresh={refresh} />
            </>
          }
        />
        {error && !data ? (
          <ErrorState error={error} onRetry={refresh} />
        ) : !data ? (
          // Its first lines depend on the answer: drawn before, they would push what is below.
          <LoadingLines />
        ) : (
          <div className="sms-overview" data-other={answer.isPlaceholderData}>
            <ChannelNote data={data} />
            <SmsFigures data={data} />
            <SmsTrend days={data.byDay} />
            <div className="sms-breakdown">
              <SmsScenarios rows={data.byScene} />
              <SmsFailures data={data} tenantId={tenantId} />
            </div>
          </div>
        )}
      </PageCard>
      {isPlatform && (
        // Loads beside the figures, but shown before them it would be pushed down.
        <div hidden={!data && !error}>
          <SmsTenants filters={byTenant} />
        </div>
      )}
    </>
  );
}

function ChannelNote({ data }: { data: SmsOverview }) {
  const isPlatform = useIsPlatform();
  if (data.carrier !== null) {
    return isPlatform ? <p className="sms-span">由{smsCarrierText[data.carrier]}发送</p> : null;
  }
  return (
    <Alert
      type="info"
      showIcon
      title={
        <>
          <b>未开通短信通道</b>
          <span className="sms-note">
            短信只写入发件箱，不会发到手机，也不扣条数。
            {isPlatform && (
              <Link className="ui-link" to="/smsManage/synopsis?view=channel">
                配置短信通道
              </Link>
            )}
          </span>
        </>
      }
    />
  );
}
