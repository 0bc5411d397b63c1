// Grafana's own types of a dashboard and of the panels that ours has. Grafana fills in what is absent.
import type {
  Dashboard,
  FieldConfig,
  FieldConfigSource,
  Panel,
  RowPanel,
} from "@grafana/grafana-foundation-sdk/dashboard";
import type { Dataquery } from "@grafana/grafana-foundation-sdk/prometheus";
import type { Options as StatOptions } from "@grafana/grafana-foundation-sdk/stat";
import type {
  FieldConfig as Graph,
  Options as GraphOptions,
} from "@grafana/grafana-foundation-sdk/timeseries";

/** Enumerations are their values in JSON. */
type Json<T> = T extends string
  ? `${T}`
  : T extends number | boolean | null | undefined
    ? T
    : { [K in keyof T as T[K] extends () => void ? never : K]?: Json<T[K]> };

type Shown<Type, Options, Custom> = Json<
  Omit<Panel, "type" | "options" | "targets" | "fieldConfig">
> & {
  type: Type;
  options: Json<Options>;
  targets: Json<Dataquery>[];
  fieldConfig: {
    defaults: Json<Omit<FieldConfig, "custom">> & { custom?: Json<Custom> };
    overrides: Json<FieldConfigSource["overrides"]>;
  };
};

type Drawn =
  | Json<RowPanel>
  | Shown<"stat", StatOptions, Record<string, never>>
  | Shown<"timeseries", GraphOptions, Graph>;

export type Value = Json<Omit<Dashboard, "panels">> & { panels: Drawn[] };
