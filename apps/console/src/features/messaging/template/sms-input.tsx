// Form control for an sms template: the default, or an own text with its placeholders.
import type { MessageScenario } from "@cabinet/contract/messaging/sms/sms.rules.ts";
import {
  guessPlaceholders,
  MAX_SMS_TEXT,
  placeholderNames,
  type SmsTemplate,
} from "@cabinet/contract/messaging/template/sms-template.rules.ts";
import {
  type VariableKey,
  variables,
  variablesOf,
} from "@cabinet/contract/messaging/template/template.rules.ts";
import Input from "antd/es/input";
import type { TextAreaRef } from "antd/es/input/TextArea";
import Select from "antd/es/select";
import { useRef } from "react";
import { ChoiceBar } from "../../../ui/form/choice-bar.tsx";
import type { Control } from "../../../ui/form/control.ts";
import { ControlBox } from "./control-box.tsx";
import { LabelledInput } from "./labelled-input.tsx";
import { SmsPreview } from "./message-preview.tsx";
import "../../../ui/display/basics.css";
import "./template.css";

export interface SmsInputProps extends Control<SmsTemplate | null> {
  scene: MessageScenario;
  sign: string;
  /** Default template, used while the tenant has none of its own. */
  usual: SmsTemplate;
}

const choices = [
  ["usual", "使用默认内容"],
  ["own", "自定义内容"],
] as const;

export function SmsInput({ scene, sign, usual, id, value = null, onChange }: SmsInputProps) {
  return (
    <ControlBox id={id}>
      <ChoiceBar
        label="短信内容"
        choices={choices}
        chosen={value === null ? "usual" : "own"}
        onChoose={(choice) => onChange?.(choice === "usual" ? null : (value ?? usual))}
      />
      {value && <OwnText scene={scene} value={value} onChange={(sms) => onChange?.(sms)} />}
      <SmsPreview scene={scene} sms={value ?? usual} sign={sign} />
    </ControlBox>
  );
}

interface OwnTextProps {
  scene: MessageScenario;
  value: SmsTemplate;
  onChange: (sms: SmsTemplate) => void;
}

function OwnText({ scene, value, onChange }: OwnTextProps) {
  const { text, templateCode, placeholders } = value;
  const area = useRef<TextAreaRef>(null);
  const write = (next: string) =>
    onChange({ ...value, text: next, placeholders: guessPlaceholders(scene, next, placeholders) });
  const insert = (key: VariableKey) => {
    const field = area.current?.resizableTextArea?.textArea;
    const at = field?.selectionStart ?? text.length;
    const before = key === "path" ? `${location.origin}/` : "";
    write(`${text.slice(0, at)}${before}\${${key}}${text.slice(field?.selectionEnd ?? at)}`);
    field?.focus();
  };
  return (
    <>
      <LabelledInput
        label="短信模板编号"
        value={templateCode}
        maxLength={40}
        placeholder="服务商审核通过的模板编号，如：SMS_123456789"
        onChange={(code) => onChange({ ...value, templateCode: code.trim() })}
      />
      <Input.TextArea
        ref={area}
        aria-label="短信内容"
        value={text}
        maxLength={MAX_SMS_TEXT}
        rows={4}
        onChange={(event) => write(event.target.value)}
      />
      <p className="template-note">
        与服务商审核通过的模板逐字一致，不写签名；占位符照抄，如 {`\${code}`} 或 {"{1}"}。插入变量：
        {variablesOf(scene).map((key) => (
          <button key={key} type="button" className="ui-link" onClick={() => insert(key)}>
            {variables[key].title}
          </button>
        ))}
      </p>
      <Placeholders scene={scene} value={value} onChange={onChange} />
    </>
  );
}

function Placeholders({ scene, value, onChange }: OwnTextProps) {
  const names = placeholderNames(value.text);
  if (names.length === 0) return null;
  const chosen = new Map(value.placeholders.map(({ name, variable }) => [name, variable]));
  const options = variablesOf(scene).map((key) => ({ value: key, label: variables[key].title }));
  const choose = (name: string, variable: VariableKey) => {
    const next = new Map(chosen).set(name, variable);
    const placeholders = names.flatMap((each) => {
      const known = next.get(each);
      return known ? [{ name: each, variable: known }] : [];
    });
    onChange({ ...value, placeholders });
  };
  return (
    <ul className="template-map" aria-label="占位符的变量">
      {names.map((name) => (
        <li key={name}>
          <code>{/^\d/.test(name) ? `{${name}}` : `\${${name}}`}</code>
          <Select<VariableKey>
            aria-label={`占位符 ${name} 的变量`}
            placeholder="选择变量"
            {...(chosen.has(name)
              ? { value: chosen.get(name) as VariableKey }
              : { status: "error" })}
            options={options}
            onChange={(variable) => choose(name, variable)}
          />
        </li>
      ))}
    </ul>
  );
}
