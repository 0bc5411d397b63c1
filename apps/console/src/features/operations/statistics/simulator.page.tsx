// 计价试算: replays past orders under another rule and compares the prices.
import {
  MAX_REPLAYED_DAYS,
  PricingRuleBody,
  pricingContract,
} from "@cabinet/contract/money/pricing/pricing.contract.ts";
import { defaultPricing, pricingText } from "@cabinet/contract/money/pricing/pricing.rules.ts";
import Button from "antd/es/button";
import Form from "antd/es/form";
import { usePageSide } from "../../../domain/cabinet/page-side.ts";
import { pricingFields } from "../../../domain/pricing/index.ts";
import { ViewSwitch } from "../../../domain/view-switch.tsx";
import { usePermission } from "../../../kit/permission.ts";
import { useCall } from "../../../kit/query.ts";
import { PageCard } from "../../../ui/display/page-card.tsx";
import { AnswerState, ErrorState } from "../../../ui/display/states.tsx";
import { FormField } from "../../../ui/form/record-form.tsx";
import { FilterBar } from "../../../ui/list/filter-bar.tsx";
import { type ListState, useListState } from "../../../ui/list/list-state.ts";
import { SimulatorResult } from "./simulator-result.tsx";
import { asTexts, ruleOfTexts, wholeRule } from "./simulator-rule.ts";
import { useFigureFilters } from "./use-figure-filters.ts";
import "../../../ui/display/basics.css";
import "./simulator.css";

export default function SimulatorPage() {
  const side = usePageSide();
  const state = useListState();
  const { texts } = state;
  const { span, filters } = useFigureFilters(texts, MAX_REPLAYED_DAYS);
  const place = {
    ...(texts.tenantId && { tenantId: Number(texts.tenantId) }),
    ...(texts.storeId && { storeId: Number(texts.storeId) }),
  };
  const rule = ruleOfTexts(texts);
  const { capFen, ...rest } = rule ?? defaultPricing;
  const answer = useCall(
    pricingContract.simulate,
    { query: { side, ...span, ...place, ...rest, ...(capFen !== null && { capFen }) } },
    { enabled: rule !== null, keepPreviousData: true },
  );
  return (
    <>
      <PageCard>
        <ViewSwitch />
        <FilterBar filters={filters} texts={texts} onFilter={state.filter} />
        <RuleForm key={JSON.stringify([place, rule])} place={place} state={state} />
      </PageCard>
      {answer.error && !answer.data ? (
        <PageCard className="simulator-part">
          <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
        </PageCard>
      ) : (
        rule && <SimulatorResult rule={rule} data={answer.data} isBusy={answer.isFetching} />
      )}
    </>
  );
}

interface RuleFormProps {
  place: { tenantId?: number; storeId?: number };
  state: ListState;
}

/** Starts from the simulated rule in the URL, else from the rule in force at store or tenant. */
function RuleForm({ place, state }: RuleFormProps) {
  const [form] = Form.useForm<PricingRuleBody>();
  const { storeId: _, ...tenantPlace } = place;
  const mayRead = usePermission("cabinet:read");
  const options = { enabled: mayRead };
  const ofPlace = useCall(pricingContract.get, { query: place }, options);
  const ofTenant = useCall(pricingContract.get, { query: tenantPlace }, options);
  const typed = wholeRule(Form.useWatch([], form));
  const inForce = ofPlace.data?.rule ?? ofTenant.data?.rule ?? defaultPricing;
  const isKnown = !mayRead || (ofPlace.data !== undefined && ofTenant.data !== undefined);
  if (!isKnown) return <AnswerState answer={ofPlace.error ? ofPlace : ofTenant} />;
  const tried = ruleOfTexts(state.texts);
  return (
    <Form
      form={form}
      layout="vertical"
      className="ui-form simulator-rule"
      initialValues={tried ?? wholeRule(inForce) ?? defaultPricing}
      onFinish={(values) => {
        const rule = wholeRule(values);
        if (rule) state.filter(asTexts(rule));
      }}
    >
      {pricingFields().map((field) => (
        <FormField key={field.name} schema={PricingRuleBody} field={field} />
      ))}
      <div className="simulator-go">
        <p>{typed ? `试算规则：${pricingText(typed)}` : "填好以上各项后开始试算"}</p>
        <span className="simulator-buttons">
          <Button onClick={() => form.setFieldsValue(wholeRule(inForce) ?? defaultPricing)}>
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
