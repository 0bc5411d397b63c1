// Call for the first screen of 首页: the answers of several reading calls at once.

import { Type } from "typebox";
import { cabinetContract } from "../../fleet/cabinet/cabinet.contract.ts";
import { commandContract } from "../../fleet/command/command.contract.ts";
import { type EndpointSpec, endpoint, type Input } from "../../kit/endpoint.ts";
import { Day, Strict, TenantId } from "../../kit/fields.ts";
import { addDays } from "../../kit/shanghai.rules.ts";
import { miniProgramContract } from "../../messaging/mini-program/mini-program.contract.ts";
import { paymentContract } from "../../money/payment/payment.contract.ts";
import { malfunctionContract } from "../malfunction/malfunction.contract.ts";
import { statisticsContract } from "./statistics.contract.ts";

/** Calls about the tenant whose answers the first screen shows; one that the account may not make is left out. */
export const homeParts = {
  figures: statisticsContract.home,
  single: statisticsContract.singleTendency,
  double: statisticsContract.doubleTendency,
  cabinets: cabinetContract.statistics,
  offline: cabinetContract.list,
  commands: commandContract.list,
  faults: malfunctionContract.size,
  work: malfunctionContract.counts,
  severe: malfunctionContract.list,
  payment: paymentContract.setting,
  program: miniProgramContract.setting,
} as const satisfies Record<string, EndpointSpec>;

type HomePart = keyof typeof homeParts;
type Given<Spec extends EndpointSpec> = Partial<Pick<Input<Spec>, "query" | "body">>;

/** Days of the trend that is shown first. */
export const HOME_TREND_DAYS = 7 as const;
/** Rows of each short list. */
const HOME_ROWS = 6;

/** Cabinets that went offline last, the newest commands, the worst open malfunction. */
export const homeLists = (tenantId?: number) => ({
  offline: {
    page: 1,
    pageSize: HOME_ROWS,
    connectivity: "OFFLINE" as const,
    sort: "lastSeenAt" as const,
    order: "desc" as const,
    ...(tenantId && { tenantId }),
  },
  commands: {
    ...{ page: 1, pageSize: HOME_ROWS, actorKind: "OPERATOR" as const },
    ...(tenantId && { tenantId }),
  },
  severe: {
    ...{ page: 1, pageSize: 1, state: "OPEN" as const, severity: "SEVERE" as const },
    ...(tenantId && { tenantId }),
  },
});

/** Input of each part on this day (Shanghai), for one tenant or all that the account sees. */
export function homeInputs(
  day: string,
  tenantId?: number,
): { [Name in HomePart]: Given<(typeof homeParts)[Name]> } {
  const query = tenantId ? { tenantId } : {};
  const { offline, commands, severe } = homeLists(tenantId);
  const body = { from: addDays(day, 1 - HOME_TREND_DAYS), to: day, ...query };
  return {
    figures: { query },
    single: { body },
    double: { body },
    cabinets: { query },
    offline: { query: offline },
    commands: { query: commands },
    faults: { query: { status: "CREATED", ...query } },
    work: { query },
    severe: { query: severe },
    payment: { query },
    program: { query },
  };
}

export const homeScreenContract = {
  read: endpoint({
    method: "GET",
    path: "/admin/v1/statistics/home/screen",
    access: "signed-in",
    summary: "首页：首屏所需的各项数据，只含本账号有权查看的部分",
    query: Strict({ day: { ...Day, title: "日期" }, tenantId: Type.Optional(TenantId) }),
    reply: Type.Object({
      figures: Type.Optional(homeParts.figures.reply),
      single: Type.Optional(homeParts.single.reply),
      double: Type.Optional(homeParts.double.reply),
      cabinets: Type.Optional(homeParts.cabinets.reply),
      offline: Type.Optional(homeParts.offline.reply),
      commands: Type.Optional(homeParts.commands.reply),
      faults: Type.Optional(homeParts.faults.reply),
      work: Type.Optional(homeParts.work.reply),
      severe: Type.Optional(homeParts.severe.reply),
      payment: Type.Optional(homeParts.payment.reply),
      program: Type.Optional(homeParts.program.reply),
    }),
  }),
};
