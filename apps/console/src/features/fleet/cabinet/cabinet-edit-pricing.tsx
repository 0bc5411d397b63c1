// Pricing of a cabinet: inherited from store or tenant, or a rule of its own.
import type { CabinetDetail } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { PricingRuleBody } from "@cabinet/contract/money/pricing/pricing.contract.ts";
import {
  pricingScopeText,
  type RatedRule,
  wholeRatedRule,
} from "@cabinet/contract/money/pricing/pricing.rules.ts";
import Form from "antd/es/form";
import Radio from "antd/es/radio";
import { useState } from "react";
import {
  PricingDialog,
  PricingExample,
  type PricingTarget,
  pricingFields,
  simulatorPath,
} from "../../../domain/pricing/index.ts";
import { Link } from "../../../kit/paths.ts";
import { usePermission } from "../../../kit/permission.ts";
import { Button } from "../../../ui/display/button.tsx";
import { PageCard } from "../../../ui/display/page-card.tsx";
import { FormField } from "../../../ui/form/record-form.tsx";
import { inheritedRule } from "./cabinet-edit.rules.ts";

const fields = pricingFields("pricing");

export function CabinetEditPricing({ cabinet }: { cabinet: CabinetDetail }) {
  const form = Form.useFormInstance();
  const hasOwn: boolean = Form.useWatch("hasOwnPricing", form) ?? cabinet.pricing.cabinet !== null;
  const typed: unknown = Form.useWatch("pricing", { form, preserve: true });
  const inherited = inheritedRule(cabinet);
  return (
    <PageCard title="计费与滞留规则" extra={<OtherRules cabinet={cabinet} />}>
      <Form.Item name="hasOwnPricing" label="这台设备">
        <Radio.Group
          options={[
            { value: false, label: `沿用${pricingScopeText[inherited.scope]}` },
            { value: true, label: "单独设置" },
          ]}
        />
      </Form.Item>
      {hasOwn && (
        <div className="cabinet-edit-fields">
          {fields.map((field) => (
            <FormField key={field.name} schema={PricingRuleBody} field={field} />
          ))}
        </div>
      )}
      <PricingExample rule={hasOwn ? typed : inherited.rule} />
      <SimulatorLink cabinet={cabinet} rule={(hasOwn && wholeRatedRule(typed)) || inherited.rule} />
      <p className="ui-form-note">规则在存放开始时确定；修改只对之后开始的存放生效。</p>
    </PageCard>
  );
}

/** Leads to last month's orders of this cabinet under the rule shown. */
function SimulatorLink({ cabinet, rule }: { cabinet: CabinetDetail; rule: RatedRule }) {
  const maySimulate = usePermission("pricing:simulate");
  if (!maySimulate) return null;
  return (
    <p>
      <Link className="ui-link" to={simulatorPath(cabinet, rule)}>
        用此规则试算上月
      </Link>
    </p>
  );
}

/** Shortcuts to edit the inherited rules, which other cabinets share. */
function OtherRules({ cabinet }: { cabinet: CabinetDetail }) {
  const [target, setTarget] = useState<PricingTarget | null>(null);
  const mayPrice = usePermission("pricing:write");
  if (!mayPrice) return null;
  const { tenantId, tenantName, storeId, storeName } = cabinet;
  return (
    <span className="cabinet-edit-rules">
      {storeId !== null && (
        <Button
          size="small"
          onClick={() => setTarget({ tenantId, storeId, name: storeName ?? `门店 ${storeId}` })}
        >
          门店规则
        </Button>
      )}
      <Button size="small" onClick={() => setTarget({ tenantId, name: tenantName })}>
        租户规则
      </Button>
      <PricingDialog target={target} onClose={() => setTarget(null)} />
    </span>
  );
}
