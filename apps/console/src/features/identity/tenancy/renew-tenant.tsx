// 续期: extends by months, to a date or without end, with a preview.

import {
  type Tenant,
  tenancyContract,
} from "@cabinet/contract/identity/tenancy/tenancy.contract.ts";
import { renewTenant } from "@cabinet/contract/identity/tenancy/tenancy.rules.ts";
import { Strict } from "@cabinet/contract/kit/fields.ts";
import Form from "antd/es/form";
import Input from "antd/es/input";
import { type Static, Type } from "typebox";
import { type Term, TermInput, termProblem } from "../../../domain/cabinet/term-input.tsx";
import { toast } from "../../../kit/feedback.ts";
import { useWrite } from "../../../kit/query.ts";
import { Facts } from "../../../ui/display/detail-drawer.tsx";
import { useLast } from "../../../ui/display/use-last.ts";
import { FormDialog } from "../../../ui/form/form-frames.tsx";
import type { FieldOf } from "../../../ui/form/record-form.tsx";
import { tenantChanged } from "./tenant-actions.tsx";
import { expiryText } from "./tenant-display.tsx";
import "./tenancy.css";

const RenewForm = Strict({
  term: Type.Unsafe<Term>(Type.Object({})),
  reason: tenancyContract.renew.body.properties.reason,
});
type RenewForm = Static<typeof RenewForm>;

const initial: Partial<RenewForm> = { term: { months: 12 } };

export interface RenewTenantProps {
  /** Null while the dialog is closed. */
  tenant: Tenant | null;
  onClose: () => void;
}

export function RenewTenant({ tenant, onClose }: RenewTenantProps) {
  const shown = useLast(tenant);
  const renew = useWrite(tenancyContract.renew, tenantChanged);
  const fields: FieldOf<typeof RenewForm>[] = [
    {
      name: "term",
      label: "续期",
      control: <TermInput from={shown?.today} hasEndless />,
      problem: termProblem,
      hint: "未到期时从到期日起续，已到期时从今天起算",
    },
    {
      name: "reason",
      label: "原因",
      control: <Input.TextArea rows={2} maxLength={200} placeholder="如：合同续签，记入操作审计" />,
    },
  ];
  return (
    <FormDialog
      open={tenant !== null}
      title={`续期：${shown?.name ?? ""}`}
      width={600}
      schema={RenewForm}
      fields={fields}
      initial={initial}
      submitText="续期"
      submit={async ({ term: { isEndless, ...until }, reason }) => {
        if (!shown) return;
        const body = {
          expiresOnBefore: shown.expiresOn,
          ...(isEndless ? { endsOn: null } : until),
          reason,
        };
        await renew.mutateAsync({ params: { id: shown.id }, body });
        toast.success(`租户“${shown.name}”已续期`);
      }}
      onClose={onClose}
    >
      {shown && <Preview tenant={shown} />}
    </FormDialog>
  );
}

/** Preview of the new expiry date; the server applies the same rule to the same day. */
function Preview({ tenant }: { tenant: Tenant }) {
  const term = Form.useWatch<Term | undefined>("term") ?? initial.term ?? {};
  return (
    <div className="tenant-renewal">
      <Facts
        facts={[
          ["当前到期日", expiryText(tenant)],
          ["续期后", <Outcome key="v" tenant={tenant} term={term} />],
        ]}
      />
    </div>
  );
}

function Outcome({ tenant, term }: { tenant: Tenant; term: Term }) {
  if (term.isEndless) return <b>长期有效</b>;
  if (termProblem(term)) return <>—</>;
  const renewal = renewTenant(tenant, term, tenant.today);
  if ("problem" in renewal) return <>{renewal.problem}</>;
  const isEarlier = tenant.expiresOn !== null && renewal.expiresOn < tenant.expiresOn;
  return (
    <>
      <b>{renewal.expiresOn}</b>
      {isEarlier && "（提前）"}
      {tenant.expiresOn === null && "（原为长期有效）"}
    </>
  );
}
