// 计价试算: replays past orders under another rule and compares the prices.
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import {
  MAX_REPLAYED_DAYS,
  PricingRuleBody,
  pricingContract,
} from "@cabinet/contract/money/pricing/pricing.contract.ts";
import {
  defaultPricing,
  nearestRule,
  pricingText,
  type RatedRule,
  ratesText,
  wholeRatedRule,
} from "@cabinet/contract/money/pricing/pricing.rules.ts";
import Form from "antd/es/form";
import { usePageSide } from "../../../domain/cabinet/page-side.ts";
import { cabinetFilter } from "../../../domain/cabinet-filter.tsx";
import { pricingFields } from "../../../domain/pricing/index.ts";
import { ViewSwitch } from "../../../domain/view-switch.tsx";
import { usePermission } from "../../../kit/permission.ts";
import { useCall } from "../../../kit/query.ts";
import { Button } from "../../../ui/display/button.tsx";
import { PageCard } from "../../../ui/display/page-card.tsx";
import { AnswerState, ErrorState } from "../../../ui/display/states.tsx";
import { FormField } from "../../../ui/form/record-form.tsx";
import { FilterBar } from "../../../ui/list/filter-bar.tsx";
import { type ListState, useListState } from "../../../ui/list/list-state.ts";
import type { SimulatedPlace } from "./apply-rule.tsx";
import { SimulatorResult } from "./simulator-result.tsx";
import { asTexts, ruleOfTexts } from "./simulator-rule.ts";
import { useFigureFilters } from "./use-figure-filters.ts";
import "../../../ui/display/basics.css";
import "./simulator.css";

export default function SimulatorPage() {
  const side = usePageSide();
  const state = useListState();
  const { texts } = state;
  const { span, filters } = useFigureFilters(texts, MAX_REPLAYED_DAYS);
  const maySeeCabinets = usePermission("cabinet:read");
  const allFilters = maySeeCabinets ? [...filters, cabinetFilter(side)] : filters;
  const place = {
    ...(texts.tenantId && { tenantId: Number(texts.tenantId) }),
    ...(texts.storeId && { storeId: Number(texts.storeId) }),
    ...(texts.cabinetId && { cabinetId: Number(texts.cabinetId) }),
  };
  const rule = ruleOfTexts(texts);
  const { capFen, rates, ...rest }: RatedRule = rule ?? defaultPricing;
  const ratesGiven = ratesText(rates);
  const answer = useCall(
    pricingContract.simulate,
    {
      query: {
        ...{ side, ...span, ...place, ...rest },
        ...(capFen !== null && { capFen }),
        ...(ratesGiven && { rates: ratesGiven }),
      },
    },
    { enabled: rule !== null },
  );
  return (
    <>
      <PageCard>
        <ViewSwitch />
        <FilterBar
          filters={allFilters}
          texts={texts}
          onFilter={state.filter}
          onAgain={answer.refetch}
          isBusy={answer.isFetching}
        />
        <RuleForm key={JSON.stringify([place, rule])} place={place} state={state} />
      </PageCard>
      {answer.error && !answer.data ? (
        <PageCard className="simulator-part">
          <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
        </PageCard>
      ) : (
        rule && (
          <SimulatorResult
            rule={rule}
            place={place}
            data={answer.data}
            isBusy={answer.isFetching}
          />
        )
      )}
    </>
  );
}

interface RuleFormProps {
  place: SimulatedPlace;
  state: ListState;
}

/** Starts from the simulated rule in the URL, else from the rule in force at the place. */
function RuleForm({ place, state }: RuleFormProps) {
  const [form] = Form.useForm<PricingRuleBody>();
  const { cabinetId, ...storePlace } = place;
  const { storeId: _, ...tenantPlace } = storePlace;
  const mayRead = usePermission("cabinet:read");
  const options = { enabled: mayRead };
  const ofPlace = useCall(pricingContract.get, { query: storePlace }, options);
  const ofTenant = useCall(pricingContract.get, { query: tenantPlace }, options);
  const ofCabinet = useCall(
    cabinetContract.get,
    { params: { id: cabinetId ?? 0 } },
    { enabled: mayRead && cabinetId !== undefined },
  );
  const typed = wholeRatedRule(Form.useWatch([], form));
  const { pricing } = ofCabinet.data ?? {};
  const inForce = pricing
    ? nearestRule<RatedRule>({
        CABINET: pricing.cabinet,
        STORE: pricing.store,
        TENANT: pricing.tenant,
      }).rule
    : (ofPlace.data?.rule ?? ofTenant.data?.rule ?? defaultPricing);
  const answers = cabinetId === undefined ? [ofPlace, ofTenant] : [ofCabinet];
  const unknown = answers.find(({ data }) => data === undefined);
  if (mayRead && unknown) return <AnswerState answer={unknown} />;
  const tried = ruleOfTexts(state.texts);
  return (
    <Form
      form={form}
      layout="vertical"
      className="ui-form simulator-rule"
      initialValues={tried ?? wholeRatedRule(inForce) ?? defaultPricing}
      onFinish={(values) => {
        const rule = wholeRatedRule(values);
        if (rule) state.filter(asTexts(rule));
      }}
    >
      {pricingFields().map((field) => (
        <FormField key={field.name} schema={PricingRuleBody} field={field} />
      ))}
      <div className="simulator-go">
        <p>{typed ? `试算规则：${pricingText(typed)}` : "填好以上各项后开始试算"}</p>
        <span className="simulator-buttons">
          <Button onClick={() => form.setFieldsValue(wholeRatedRule(inForce) ?? defaultPricing)}>
            填入现行规则
          </Button>
          <Button type="primary" htmlType="submit">
            开始试算
          </Button>
        </span>
      </div>
    </Form>
  );
}
