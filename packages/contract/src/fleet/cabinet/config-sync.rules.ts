// Compares the settings requested of a cabinet with the values that it reports.
import { type Cabinet, CabinetConfig } from "./cabinet.contract.ts";

type Settings = Pick<
  Cabinet,
  "desiredConfig" | "desiredConfigVersion" | "reportedConfig" | "reportedConfigVersion"
>;

export interface ConfigLine {
  name: string;
  desired: unknown;
  reported: unknown;
  /** NONE: no value is requested. */
  state: "SAME" | "DIFFERS" | "UNREPORTED" | "NONE";
}

/** One line for each of `names`, then one for each other setting that the cabinet reports. */
export function configLines(
  names: readonly string[],
  { desiredConfig, reportedConfig }: Pick<Settings, "desiredConfig" | "reportedConfig">,
): ConfigLine[] {
  const desired: Readonly<Record<string, unknown>> = desiredConfig;
  const reported: Readonly<Record<string, unknown>> = reportedConfig ?? {};
  const others = Object.keys(reported).filter((name) => !names.includes(name));
  return [...names, ...others].map((name) => {
    const line = { name, desired: desired[name], reported: reported[name] };
    if (line.desired === undefined) return { ...line, state: "NONE" };
    if (line.reported === undefined) return { ...line, state: "UNREPORTED" };
    return { ...line, state: line.desired === line.reported ? "SAME" : "DIFFERS" };
  });
}

/**
 * PENDING: another version is in force. At the same version, DIFFERS: a reported value is another one;
 * UNREPORTED: the others agree, but some are not reported; SAME: every requested value is in force.
 */
export interface ConfigSync {
  state: "PENDING" | "DIFFERS" | "UNREPORTED" | "SAME";
  /** Titles of the settings. */
  differing: string[];
  unreported: string[];
}

export function configSync(settings: Settings): ConfigSync {
  const lines = configLines(Object.keys(CabinetConfig.properties), settings);
  const named = (state: ConfigLine["state"]) =>
    lines.filter((line) => line.state === state).map(({ name }) => configName(name));
  const differing = named("DIFFERS");
  const unreported = named("UNREPORTED");
  const state =
    settings.reportedConfigVersion !== settings.desiredConfigVersion
      ? "PENDING"
      : differing.length > 0
        ? "DIFFERS"
        : unreported.length > 0
          ? "UNREPORTED"
          : "SAME";
  return { state, differing, unreported };
}

/** `音量`: the title without its unit; the name itself for a setting that the contract lacks. */
export function configName(name: string): string {
  const field = Object.entries(CabinetConfig.properties).find(([known]) => known === name)?.[1];
  const { title = name } = (field ?? {}) as { title?: string };
  return title.replace(/（.*）$/, "");
}
