// Masked phone number that is revealed on request; each reveal is audited.
import { useRef, useState } from "react";
import { useIsImpersonating } from "../kit/session.ts";
import { Button } from "../ui/display/button.tsx";
import type { Control } from "../ui/form/control.ts";
import { PhoneInput } from "../ui/form/phone-input.tsx";
import { PopupMenu } from "../ui/popup/popup-menu.tsx";
import "./hidden-phone.css";

const NOTED = "查看完整号码会记入操作审计";

interface RevealButtonProps {
  /** Returns the full number; reports its own errors. */
  reveal: () => Promise<string>;
  onPhone: (phone: string) => void;
  isSmall?: boolean;
  children: string;
}

function RevealButton({ reveal, onPhone, isSmall = false, children }: RevealButtonProps) {
  const [isBusy, setIsBusy] = useState(false);
  return (
    <Button
      size={isSmall ? "small" : "medium"}
      loading={isBusy}
      title={NOTED}
      onClick={() => {
        setIsBusy(true);
        reveal()
          .then(onPhone, () => {})
          .finally(() => setIsBusy(false));
      }}
    >
      {children}
    </Button>
  );
}

/** Reasons for looking at the number of a rider or recipient, recorded in the audit log. */
const REVEAL_REASONS = ["联系取件人或骑手", "处理投诉", "核对身份"];

interface ReasonedRevealProps {
  /** Reports its own errors. */
  reveal: (reason: string) => Promise<unknown>;
}

/** Button whose menu asks for the reason. */
export function ReasonedReveal({ reveal }: ReasonedRevealProps) {
  const [isBusy, setIsBusy] = useState(false);
  const [isOpen, setIsOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const choose = (reason: string) => {
    setIsBusy(true);
    reveal(reason)
      .catch(() => {})
      .finally(() => setIsBusy(false));
  };
  return (
    <>
      <Button
        ref={button}
        size="small"
        loading={isBusy}
        title={NOTED}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
      >
        查看完整手机号
      </Button>
      {isOpen && (
        <PopupMenu
          label="查看原因"
          heading="查看原因（记入操作审计）"
          anchorOf={() => button.current?.getBoundingClientRect() ?? null}
          opener={button.current}
          items={REVEAL_REASONS.map((reason) => ({
            key: reason,
            label: reason,
            run: () => choose(reason),
          }))}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
}

/** Number of a rider or recipient. */
export function PersonsPhone({
  masked,
  reveal,
}: {
  masked: string;
  reveal?: ((reason: string) => Promise<string>) | undefined;
}) {
  const [phone, setPhone] = useState<string | null>(null);
  const isImpersonating = useIsImpersonating();
  if (phone) return <a href={`tel:${phone}`}>{phone}</a>;
  return (
    <span className="ui-phone">
      {masked}
      {reveal && !isImpersonating && (
        <ReasonedReveal reveal={async (reason) => setPhone(await reveal(reason))} />
      )}
    </span>
  );
}

export interface HiddenPhoneProps {
  masked: string;
  /** Absent: this account may not reveal it. */
  reveal?: (() => Promise<string>) | undefined;
}

/** Shows the full number after it was revealed. */
export function HiddenPhone({ masked, reveal }: HiddenPhoneProps) {
  const [phone, setPhone] = useState<string | null>(null);
  const isImpersonating = useIsImpersonating();
  if (masked === "") return <>—</>;
  if (phone) return <a href={`tel:${phone}`}>{phone}</a>;
  return (
    <span className="ui-phone">
      {masked}
      {reveal && !isImpersonating && (
        <RevealButton isSmall reveal={reveal} onPhone={setPhone}>
          查看完整手机号
        </RevealButton>
      )}
    </span>
  );
}

/** Value undefined: unchanged. */
export interface HiddenPhoneInputProps extends Control<string> {
  placeholder: string;
  /** Masked number of a record that already has one. */
  known?: { masked: string; reveal: () => Promise<string> };
}

/** Form control: an existing number stays masked and unchanged until it is revealed. */
export function HiddenPhoneInput(props: HiddenPhoneInputProps) {
  const { value, known, ...control } = props;
  const { onChange } = control;
  if (value === undefined && known && known.masked !== "") {
    return (
      <span className="ui-phone">
        {known.masked}
        <RevealButton reveal={known.reveal} onPhone={(phone) => onChange?.(phone)}>
          显示并修改
        </RevealButton>
      </span>
    );
  }
  // `control` has aria-invalid and the id of the message, which the form passes.
  return <PhoneInput {...control} value={value ?? ""} />;
}
