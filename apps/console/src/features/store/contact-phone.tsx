// The phone of a store's contact: hidden in its middle until somebody asks, which is written down.
import { storeContract } from "@cabinet/contract/store/store.contract.ts";
import { PHONE_HINT } from "@cabinet/contract/store/store.rules.ts";
import Button from "antd/es/button";
import Input from "antd/es/input";
import { useState } from "react";
import { useWrite } from "../../kit/query.ts";
import "./store.css";

/** Says the whole number once it was asked for. */
export function ContactPhone({ storeId, masked }: { storeId: number; masked: string }) {
  const show = useWrite(storeContract.showContact);
  const [phone, setPhone] = useState<string | null>(null);
  if (masked === "") return <>—</>;
  if (phone) return <a href={`tel:${phone}`}>{phone}</a>;
  return (
    <span className="store-phone">
      {masked}
      <Button
        size="small"
        loading={show.isPending}
        title="查看完整号码会记入操作审计"
        onClick={() =>
          show.mutate(
            { params: { id: storeId } },
            { onSuccess: ({ contactPhone }) => setPhone(contactPhone) },
          )
        }
      >
        显示号码
      </Button>
    </span>
  );
}

export interface ContactPhoneInputProps {
  /** Given by the form. */
  id?: string;
  /** Undefined: as it is, whatever it is. */
  value?: string;
  onChange?: (phone: string) => void;
  /** Of a store that has one already. */
  known?: { storeId: number; masked: string };
}

/** A form control: a number that is there stays hidden, and unchanged, until it is asked for. */
export function ContactPhoneInput({ id, value, onChange, known }: ContactPhoneInputProps) {
  const show = useWrite(storeContract.showContact);
  if (value === undefined && known && known.masked !== "") {
    return (
      <span className="store-phone">
        {known.masked}
        <Button
          loading={show.isPending}
          title="查看完整号码会记入操作审计"
          onClick={() =>
            show.mutate(
              { params: { id: known.storeId } },
              { onSuccess: ({ contactPhone }) => onChange?.(contactPhone) },
            )
          }
        >
          显示并修改
        </Button>
      </span>
    );
  }
  return (
    <Input
      {...(id && { id })}
      type="tel"
      maxLength={16}
      placeholder={PHONE_HINT}
      value={value ?? ""}
      onChange={(event) => onChange?.(event.target.value.trim())}
    />
  );
}
