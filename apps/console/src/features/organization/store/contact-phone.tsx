// Masked phone of a store's contact; revealing it is recorded in the audit log.

import { PHONE_HINT } from "@cabinet/contract/kit/phone.rules.ts";
import { storeContract } from "@cabinet/contract/organization/store/store.contract.ts";
import { HiddenPhone, HiddenPhoneInput } from "../../../domain/hidden-phone.tsx";
import { useWrite } from "../../../kit/query.ts";
import type { Control } from "../../../ui/form/control.ts";

function useReveal() {
  const show = useWrite(storeContract.showContact, { toasts: true });
  return async (storeId: number) =>
    (await show.mutateAsync({ params: { id: storeId } })).contactPhone;
}

/** Masked number with a button to reveal it. */
export function ContactPhone({ storeId, masked }: { storeId: number; masked: string }) {
  const reveal = useReveal();
  return <HiddenPhone masked={masked} reveal={() => reveal(storeId)} />;
}

/** Value undefined: keep the stored number. */
export interface ContactPhoneInputProps extends Control<string> {
  /** The stored number of an existing store, masked. */
  known?: { storeId: number; masked: string };
}

/** Form control; a stored number stays masked and unchanged until revealed. */
export function ContactPhoneInput({ known, ...control }: ContactPhoneInputProps) {
  const reveal = useReveal();
  return (
    <HiddenPhoneInput
      {...control}
      placeholder={PHONE_HINT}
      {...(known && { known: { masked: known.masked, reveal: () => reveal(known.storeId) } })}
    />
  );
}
