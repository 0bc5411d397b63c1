// The phone of a store's contact: hidden in its middle until somebody asks, which is written down.

import { PHONE_HINT } from "@cabinet/contract/kit/phone.rules.ts";
import { storeContract } from "@cabinet/contract/store/store.contract.ts";
import { useWrite } from "../../kit/query.ts";
import { HiddenPhone, HiddenPhoneInput } from "../../ui/hidden-phone.tsx";

function useReveal() {
  const show = useWrite(storeContract.showContact);
  return async (storeId: number) =>
    (await show.mutateAsync({ params: { id: storeId } })).contactPhone;
}

/** Says the whole number once it was asked for. */
export function ContactPhone({ storeId, masked }: { storeId: number; masked: string }) {
  const reveal = useReveal();
  return <HiddenPhone masked={masked} reveal={() => reveal(storeId)} />;
}

export interface ContactPhoneInputProps {
  /** Props injected by the form field. */
  id?: string;
  /** Undefined: as it is, whatever it is. */
  value?: string;
  onChange?: (phone: string) => void;
  /** Of a store that has one already. */
  known?: { storeId: number; masked: string };
}

/** A form control: a number that is there stays hidden, and unchanged, until it is asked for. */
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
