// Field for a 充值赠送 package of a recharge; a choice fills in price and bonus.
import { type Package, packageContract } from "@cabinet/contract/money/package/package.contract.ts";
import Form from "antd/es/form";
import { useEffect } from "react";
import type { TObject, TSchema } from "typebox";
import { usePermission } from "../../../kit/permission.ts";
import { useCall } from "../../../kit/query.ts";
import type { Control } from "../../../ui/form/control.ts";
import { OneSelect } from "../../../ui/form/one-select.tsx";
import { FormField } from "../../../ui/form/record-form.tsx";

export interface PackageFieldProps {
  /** Form schema with `packageId`, `principalFen` and `bonusFen`. */
  schema: TObject<Record<"packageId" | "principalFen" | "bonusFen", TSchema>>;
  tenantId: number;
}

export function PackageField({ schema, tenantId }: PackageFieldProps) {
  const offers = useCall(
    packageContract.list,
    { query: { page: 1, pageSize: 100, tenantId, kind: "BONUS", isOnSale: true } },
    { enabled: usePermission("package:read") },
  ).data?.list;
  if (!offers || offers.length === 0) return null;
  const control = <PackageChoice offers={offers} />;
  return (
    <FormField
      schema={schema}
      field={{ name: "packageId", label: "充值套餐（可不选）", control }}
    />
  );
}

interface PackageChoiceProps extends Control<number, number | undefined> {
  offers: readonly Package[];
}

function PackageChoice({ offers, id, value, onChange }: PackageChoiceProps) {
  const form = Form.useFormInstance<Record<string, unknown>>();
  const principalFen = Form.useWatch<unknown>("principalFen", form);
  const bonusFen = Form.useWatch<unknown>("bonusFen", form);
  const chosen = offers.find((offer) => offer.id === value);
  // Clear the package if the amounts differ from it. Read the form: watched values lag behind.
  // biome-ignore lint/correctness/useExhaustiveDependencies: must run again when an amount is typed.
  useEffect(() => {
    const typed = form.getFieldsValue();
    const isOther =
      chosen !== undefined &&
      (typed.principalFen !== chosen.priceFen || typed.bonusFen !== chosen.bonusFen);
    if (isOther) form.setFieldValue("packageId", undefined);
  }, [form, chosen, principalFen, bonusFen]);
  return (
    <OneSelect
      {...(id && { id })}
      {...(value !== undefined && { value })}
      answer={{ data: offers, isLoading: false }}
      placeholder="按自定金额充值"
      isOptional
      onChange={(chosenId) => {
        const offer = offers.find((one) => one.id === chosenId);
        if (offer) form.setFieldsValue({ principalFen: offer.priceFen, bonusFen: offer.bonusFen });
        onChange?.(chosenId);
      }}
    />
  );
}
