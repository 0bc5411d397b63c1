// Entry without a QR code: the person types the number that is written on the cabinet.
import { snOfCode } from "@cabinet/contract/orders/app/app-page.rules.ts";
import { type FormEvent, useState } from "react";
import { useLocation } from "wouter";
import { useTexts } from "../kit/texts.tsx";
import { Field } from "../ui/field.tsx";
import { Button, Card } from "../ui/parts.tsx";

export function EnterCabinet() {
  const t = useTexts();
  const [, go] = useLocation();
  const [sn, setSn] = useState("");
  const [error, setError] = useState<string | null>(null);
  const enter = (event: FormEvent) => {
    event.preventDefault();
    const written = snOfCode(sn);
    if (written) go(`/c/${written}`);
    else setError(t("enter.wrong"));
  };
  return (
    <Card title={t("enter.title")}>
      <p className="quiet">{t("enter.note")}</p>
      <form onSubmit={enter} noValidate>
        <Field
          label={t("enter.sn")}
          hint={t("enter.hint")}
          error={error}
          value={sn}
          onChange={(value) => {
            setSn(value);
            setError(null);
          }}
          autoCapitalize="characters"
          autoComplete="off"
          spellCheck={false}
          inputMode="text"
        />
        <Button type="submit">{t("enter.go")}</Button>
      </form>
    </Card>
  );
}
