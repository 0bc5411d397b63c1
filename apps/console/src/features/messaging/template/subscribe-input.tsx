// Form control for a subscribe message: template of the account, and content per keyword.
import type { MessageScenario } from "@cabinet/contract/messaging/sms/sms.rules.ts";
import {
  guessKeywords,
  type Keyword,
  keywordLimitText,
  keywordProblem,
  keywordTypeOf,
  keywordTypeText,
  MAX_KEYWORDS,
  MAX_PAGE,
  mayCarry,
  type SubscribeTemplate,
} from "@cabinet/contract/messaging/template/subscribe-template.rules.ts";
import {
  type VariableKey,
  variables,
  variablesOf,
} from "@cabinet/contract/messaging/template/template.rules.ts";
import Input from "antd/es/input";
import Select from "antd/es/select";
import { Button } from "../../../ui/display/button.tsx";
import { ChoiceBar } from "../../../ui/form/choice-bar.tsx";
import type { Control } from "../../../ui/form/control.ts";
import { CatalogPicker } from "./catalog-picker.tsx";
import { ControlBox } from "./control-box.tsx";
import { LabelledInput } from "./labelled-input.tsx";
import { SubscribePreview } from "./message-preview.tsx";
import "./template.css";

export interface SubscribeInputProps extends Control<SubscribeTemplate | null> {
  scene: MessageScenario;
  tenantId: number;
  hasMiniProgram: boolean;
}

const choices = [
  ["none", "不配置"],
  ["own", "配置"],
] as const;
const nothing: SubscribeTemplate = { templateId: "", title: "", page: "", keywords: [] };

export function SubscribeInput(props: SubscribeInputProps) {
  const { scene, tenantId, hasMiniProgram, id, value = null, onChange } = props;
  const change = (part: Partial<SubscribeTemplate>) =>
    onChange?.({ ...(value ?? nothing), ...part });
  return (
    <ControlBox id={id}>
      <ChoiceBar
        label="订阅消息"
        choices={choices}
        chosen={value === null ? "none" : "own"}
        onChoose={(choice) => onChange?.(choice === "none" ? null : (value ?? nothing))}
      />
      {value && (
        <>
          <CatalogPicker
            tenantId={tenantId}
            hasMiniProgram={hasMiniProgram}
            chosen={value.templateId}
            onChoose={({ templateId, title, keywords }) =>
              change({ templateId, title, keywords: guessKeywords(scene, keywords) })
            }
          />
          <LabelledInput
            label="模板 ID"
            value={value.templateId}
            maxLength={64}
            placeholder="小程序后台“订阅消息 › 我的模板”中的模板 ID"
            onChange={(text) => change({ templateId: text.trim() })}
          />
          <LabelledInput
            label="模板标题"
            value={value.title}
            maxLength={40}
            onChange={(title) => change({ title })}
          />
          <LabelledInput
            label="点开的页面"
            value={value.page}
            maxLength={MAX_PAGE}
            placeholder="如：pages/order/detail；留空则点开不跳转"
            onChange={(text) => change({ page: text.trim() })}
          />
          <Keywords
            scene={scene}
            keywords={value.keywords}
            onChange={(keywords) => change({ keywords })}
          />
          <SubscribePreview scene={scene} subscribe={value} />
        </>
      )}
    </ControlBox>
  );
}

interface KeywordsProps {
  scene: MessageScenario;
  keywords: Keyword[];
  onChange: (keywords: Keyword[]) => void;
}

function Keywords({ scene, keywords, onChange }: KeywordsProps) {
  const change = (at: number, part: Partial<Keyword>) =>
    onChange(keywords.map((each, index) => (index === at ? { ...each, ...part } : each)));
  return (
    <fieldset className="template-keywords" aria-label="关键词">
      {keywords.map((keyword, index) => (
        <KeywordRow
          // biome-ignore lint/suspicious/noArrayIndexKey: a keyword has no stable key while its name is typed.
          key={index}
          scene={scene}
          keyword={keyword}
          taken={keywords.map(({ variable }) => variable)}
          no={index + 1}
          onChange={(part) => change(index, part)}
          onRemove={() => onChange(keywords.filter((_, at) => at !== index))}
        />
      ))}
      {keywords.length < MAX_KEYWORDS && (
        <Button
          size="small"
          onClick={() => onChange([...keywords, { name: "", title: "", variable: null, text: "" }])}
        >
          添加关键词
        </Button>
      )}
    </fieldset>
  );
}

interface KeywordRowProps {
  scene: MessageScenario;
  keyword: Keyword;
  /** Variables that other keywords use already. */
  taken: readonly (VariableKey | null)[];
  no: number;
  onChange: (part: Partial<Keyword>) => void;
  onRemove: () => void;
}

const FIXED = "固定文字" as const;

function KeywordRow({ scene, keyword, taken, no, onChange, onRemove }: KeywordRowProps) {
  const { name, title, variable, text } = keyword;
  const type = keywordTypeOf(name);
  // Do not report empty fields while typing; saving validates them.
  const isBlank = name === "" || (variable === null && text === "");
  const problem = isBlank ? null : keywordProblem(scene, keyword);
  const options = [
    ...variablesOf(scene).map((key) => ({
      value: key,
      label: variables[key].title,
      disabled: type !== null && !mayCarry(type, key),
    })),
    { value: FIXED, label: FIXED, disabled: false },
  ];
  const named = title || name || `关键词 ${no}`;
  return (
    <div className="template-keyword">
      <Input
        aria-label={`第 ${no} 个关键词`}
        placeholder="关键词，如：取件码"
        value={title}
        maxLength={20}
        onChange={(event) => onChange({ title: event.target.value })}
      />
      <Input
        aria-label={`${named}的名称`}
        placeholder="名称，如：thing1"
        value={name}
        maxLength={24}
        {...(problem && { status: "error" as const })}
        onChange={(event) => {
          const typed = event.target.value.trim();
          const [guess] = guessKeywords(scene, [{ name: typed, title }], taken);
          onChange({ name: typed, ...(isBlank && guess && { variable: guess.variable }) });
        }}
      />
      <Select<VariableKey | typeof FIXED>
        aria-label={`${named}的内容`}
        value={variable ?? FIXED}
        options={options}
        onChange={(chosen) => onChange({ variable: chosen === FIXED ? null : chosen })}
      />
      <Button type="text" aria-label={`删除${named}`} onClick={onRemove}>
        删除
      </Button>
      {variable === null && (
        <Input
          className="template-fixed"
          aria-label={`${named}的固定文字`}
          placeholder="每条消息都写这些文字"
          value={text}
          maxLength={32}
          onChange={(event) => onChange({ text: event.target.value })}
        />
      )}
      <p className="template-limit" data-bad={problem !== null}>
        {problem ?? (type ? `${keywordTypeText(type)}：${keywordLimitText(type)}` : "")}
      </p>
    </div>
  );
}
