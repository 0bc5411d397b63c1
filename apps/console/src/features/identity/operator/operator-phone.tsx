// Masked phone of an account, revealed on request.
import {
  type Operator,
  operatorContract,
} from "@cabinet/contract/identity/operator/operator.contract.ts";
import { HiddenPhone } from "../../../domain/hidden-phone.tsx";
import { usePermission } from "../../../kit/permission.ts";
import { useWrite } from "../../../kit/query.ts";

export function useRevealPhone() {
  const show = useWrite(operatorContract.showPhone, { toasts: true });
  return async (id: number) => (await show.mutateAsync({ params: { id } })).phone;
}

export function OperatorPhone({ of: { id, phone } }: { of: Operator }) {
  const reveal = useRevealPhone();
  const mayReveal = usePermission("operator:write");
  return <HiddenPhone masked={phone} reveal={mayReveal ? () => reveal(id) : undefined} />;
}
