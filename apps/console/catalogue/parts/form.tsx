// Record form in its three frames, every form control, and the upload.

import { errorText } from "@cabinet/contract/kit/errors.ts";
import { faqContract } from "@cabinet/contract/messaging/faq/faq.contract.ts";
import { PricingRuleBody } from "@cabinet/contract/money/pricing/pricing.contract.ts";
import type { PricingRate } from "@cabinet/contract/money/pricing/pricing.rules.ts";
import Input from "antd/es/input";
import InputNumber from "antd/es/input-number";
import Radio from "antd/es/radio";
import Select from "antd/es/select";
import Switch from "antd/es/switch";
import { type ReactNode, useState } from "react";
import { type Static, Type } from "typebox";
import { PricingExample, pricingFields } from "../../src/domain/pricing/index.ts";
import { toast } from "../../src/kit/feedback.ts";
import { Link } from "../../src/kit/paths.ts";
import { useWrite } from "../../src/kit/query.ts";
import { PageCard } from "../../src/ui/display/page-card.tsx";
import { ChoiceBar } from "../../src/ui/form/choice-bar.tsx";
import type { Control } from "../../src/ui/form/control.ts";
import { DateTimeInput } from "../../src/ui/form/date-time-input.tsx";
import { DayInput } from "../../src/ui/form/day-input.tsx";
import { FileUpload } from "../../src/ui/form/file-upload.tsx";
import { FormDialog, FormDrawer, FormPage } from "../../src/ui/form/form-frames.tsx";
import { ManySelect, type Named } from "../../src/ui/form/many-select.tsx";
import { OneSelect } from "../../src/ui/form/one-select.tsx";
import { OpeningHoursInput } from "../../src/ui/form/opening-hours-input.tsx";
import { PhoneInput } from "../../src/ui/form/phone-input.tsx";
import { RandomTextInput } from "../../src/ui/form/random-text-input.tsx";
import type { FieldOf } from "../../src/ui/form/record-form.tsx";
import { RegionInput } from "../../src/ui/form/region-input.tsx";
import { YuanInput, yuanProblem } from "../../src/ui/form/yuan-input.tsx";
import { RichTextInput } from "../../src/ui/rich-text/rich-text-input.tsx";
import { answer, failed, held, never, refused } from "../answers.ts";
import { Opened } from "../opened.tsx";
import { SampleDraft, sampleContract, sampleStates } from "../sample.ts";
import type { Parts, State } from "../state.ts";

const MOST_FEN = 10_000;

const fields: FieldOf<typeof SampleDraft>[] = [
  { name: "name", label: "名称", control: <Input maxLength={30} />, section: "基本信息" },
  { name: "phone", label: "手机号", control: <PhoneInput />, hint: "可不填" },
  {
    name: "state",
    label: "状态",
    control: (
      <Select
        placeholder="请选择"
        options={Object.entries(sampleStates).map(([value, [label]]) => ({ value, label }))}
      />
    ),
  },
  {
    name: "priceFen",
    label: "价格",
    control: <YuanInput placeholder="不填为免费" />,
    problem: (value) => yuanProblem(value, "价格", MOST_FEN),
    section: "价格与时间",
  },
  { name: "count", label: "数量", control: <InputNumber /> },
  { name: "startsOn", label: "开始日期", control: <DayInput /> },
  {
    name: "isOn",
    label: "启用",
    control: <Switch checkedChildren="启用" unCheckedChildren="停用" />,
    valueName: "checked",
  },
  { name: "remark", label: "备注", control: <Input.TextArea rows={2} />, isWide: true },
];

export const initial: Static<typeof SampleDraft> = {
  name: "样品 24",
  phone: "",
  state: "NORMAL",
  priceFen: 350,
  count: 5,
  isOn: true,
  remark: "放在三楼",
};

type Initial = Partial<Static<typeof SampleDraft>>;

export function useSampleForm(values: Initial) {
  const create = useWrite(sampleContract.create);
  return {
    schema: SampleDraft,
    fields,
    initial: { isOn: false, phone: "", remark: "", ...values },
    submit: async (body: Parameters<typeof create.mutateAsync>[0]["body"]) => {
      await create.mutateAsync({ body });
      toast.success("已保存");
    },
  };
}

function OnPage(values: Initial) {
  return (
    <>
      <Link className="ui-link" to="/dashboard">
        别的页面
      </Link>
      <FormPage title="新增样品" backTo="/dashboard" {...useSampleForm(values)} />
    </>
  );
}

function InDrawer(values: Initial) {
  const form = useSampleForm(values);
  return (
    <Opened>
      {(open, close) => <FormDrawer title="编辑样品" open={open} onClose={close} {...form} />}
    </Opened>
  );
}

function InDialog(values: Initial) {
  const form = useSampleForm(values);
  return (
    <Opened>
      {(open, close) => <FormDialog title="编辑样品" open={open} onClose={close} {...form} />}
    </Opened>
  );
}

const save = (reply: Parameters<typeof answer<typeof sampleContract.create>>[1]) => [
  answer(sampleContract.create, reply),
];
const saving = (reply: Parameters<typeof save>[0]): State => ({
  show: () => <OnPage {...initial} />,
  answers: save(reply),
  press: ["保存"],
});
const saved = save(() => null);

const own = { token: "own", username: "catalogue", userType: 0 as const, tenantId: 1 };
const visit = {
  tenantName: "晨光物业",
  endsAt: Date.now() + 3_600_000,
  from: "/",
  own: { ...own, mustChangePassword: false },
};

/** Controls that no field of the sample form uses. */
const Controls = Type.Object({
  store: Type.Integer({ title: "门店" }),
  from: Type.String({ format: "date-time" }),
  hours: Type.String(),
  region: Type.String(),
  secret: Type.String({ minLength: 8 }),
});
const periods = [
  { value: "day", label: "按天" },
  { value: "week", label: "按周" },
];
const stores: Named[] = [
  { id: 1, name: "东门店" },
  { id: 2, name: "西门店" },
];
const controls: FieldOf<typeof Controls>[] = [
  {
    name: "store",
    label: "门店",
    control: <OneSelect answer={{ data: stores, isLoading: false }} placeholder="请选择门店" />,
  },
  { name: "from", label: "开始时间", control: <DateTimeInput /> },
  { name: "hours", label: "营业时间", control: <OpeningHoursInput /> },
  { name: "region", label: "地区", control: <RegionInput /> },
  {
    name: "secret",
    label: "密钥",
    control: <RandomTextInput length={16} placeholder="至少 8 位" />,
  },
];

function ControlForm({ values = {} }: { values?: Partial<Static<typeof Controls>> }) {
  return (
    <FormPage
      title="表单控件"
      backTo="/dashboard"
      schema={Controls}
      fields={controls}
      initial={values}
      submit={async (body) => toast.success(JSON.stringify(body))}
    />
  );
}

const fees = { freeMinutes: 30, perUseFen: 0, stepMinutes: 60, stepFen: 100, capFen: null };
const rates: PricingRate[] = [
  { ...fees, size: "L", hours: null, stepFen: 300 },
  { ...fees, size: null, hours: { from: "20:00", to: "08:00" }, stepFen: 50 },
];
const rateFields = pricingFields();

function PricingForm({ more = [] }: { more?: PricingRate[] }) {
  return (
    <FormPage
      title="计费规则"
      backTo="/dashboard"
      schema={PricingRuleBody}
      fields={rateFields}
      initial={{ ...fees, overdueAfterMinutes: 1_440, rates: [...rates, ...more] }}
      submit={async (body) => toast.success(JSON.stringify(body.rates))}
    >
      <PricingExample rule={{ ...fees, overdueAfterMinutes: 1_440, rates }} />
    </FormPage>
  );
}

const Advert = Type.Object({
  text: Type.String({ title: "正文" }),
  file: Type.Optional(Type.Unsafe<{ id: number; name: string }>({})),
});

/** Controls whose input is not one of the browser's fields. */
function AdvertForm() {
  return (
    <FormPage
      title="正文与图片"
      backTo="/dashboard"
      schema={Advert}
      fields={[
        {
          name: "text",
          label: "正文",
          control: <RichTextInput label="正文" upload={faqContract.upload} />,
        },
        { name: "file", label: "图片", control: <AdvertFile /> },
      ]}
      initial={{ text: "<p>原文</p>" }}
      submit={(body) => held(body).then(() => Promise.reject(new Error("已存在")))}
    />
  );
}

function AdvertFile(props: Control<{ id: number; name: string } | null>) {
  return (
    <FileUpload {...props} spec={sampleContract.upload} preview={({ name }) => <p>{name}</p>} />
  );
}

function Choices() {
  const [chosen, setChosen] = useState<"day" | "week">("day");
  const choices = [
    ["day", "按天"],
    ["week", "按周"],
  ] as const;
  return <ChoiceBar label="周期" choices={choices} chosen={chosen} onChoose={setChosen} />;
}

function Many({ options }: { options: Named[] | undefined }) {
  const [chosen, setChosen] = useState<readonly Named[]>(options?.slice(0, 1) ?? []);
  return <ManySelect label="门店" options={options} chosen={chosen} onChange={setChosen} />;
}

function Upload({ given }: { given?: { id: number; name: string } }): ReactNode {
  const [file, setFile] = useState(given ?? null);
  return (
    <PageCard>
      <FileUpload
        spec={sampleContract.upload}
        preview={({ name }) => <p>{name}</p>}
        value={file}
        onChange={setFile}
      />
    </PageCard>
  );
}

const upload = (reply: Parameters<typeof answer<typeof sampleContract.upload>>[1]): State => ({
  show: () => <Upload />,
  answers: [answer(sampleContract.upload, reply)],
});

export const formParts: Parts = {
  form: {
    empty: { show: () => <OnPage />, answers: saved },
    filled: { show: () => <OnPage {...initial} />, answers: saved },
    invalid: {
      show: () => <OnPage name="太长太长太长太长太长的名称" count={0} />,
      press: ["保存"],
    },
    submitting: saving(never),
    held: { show: () => <OnPage {...initial} />, answers: save(() => held(null)) },
    "held-refused": {
      show: () => <OnPage {...initial} />,
      answers: save(async () => {
        await held(null);
        return refused("名称“样品 24”已存在，请换一个");
      }),
    },
    refused: saving(() => refused("名称“样品 24”已存在，请换一个")),
    "edited-meanwhile": saving(() => refused(errorText("EDIT_OUTDATED", { who: "李经理" }))),
    "server-error": saving(() => failed(500)),
    impersonation: { show: () => <OnPage {...initial} />, session: { visit } },
  },
  "form-drawer": {
    empty: { show: () => <InDrawer />, answers: saved },
    filled: { show: () => <InDrawer {...initial} />, answers: saved },
    held: {
      show: () => <InDrawer {...initial} />,
      answers: save(async () => {
        await held(null);
        return refused("名称“样品 24”已存在，请换一个");
      }),
    },
    invalid: { show: () => <InDrawer />, press: ["保存"] },
  },
  "form-dialog": {
    empty: { show: () => <InDialog />, answers: saved },
    filled: { show: () => <InDialog {...initial} />, answers: saved },
    invalid: { show: () => <InDialog />, press: ["保存"] },
  },
  "pricing-form": {
    rates: { show: () => <PricingForm /> },
    overlap: {
      show: () => (
        <PricingForm
          more={[{ ...fees, size: null, hours: { from: "06:00", to: "10:00" }, stepFen: 70 }]}
        />
      ),
      press: ["保存"],
    },
  },
  "radio-buttons": {
    chosen: {
      show: () => <Radio.Group optionType="button" options={periods} defaultValue="day" />,
    },
  },
  controls: {
    empty: { show: () => <ControlForm /> },
    invalid: {
      show: () => <ControlForm values={{ from: "昨天", secret: "abc" }} />,
      press: ["保存"],
    },
    filled: {
      show: () => (
        <ControlForm
          values={{
            store: 1,
            from: "2026-11-21T04:00:00.000Z",
            hours: "工作日 08:00-22:00，周末 休息",
            region: "浙江省 杭州市 西湖区",
            secret: "abcdefgh12345678",
          }}
        />
      ),
    },
    "choice-bar": { show: Choices },
    "many-select": { show: () => <Many options={stores} /> },
    "many-select-loading": { show: () => <Many options={undefined} /> },
  },
  "form-editor": {
    held: {
      show: () => <AdvertForm />,
      answers: [answer(sampleContract.upload, () => held({ id: 1, name: "photo.jpg" }))],
    },
  },
  upload: {
    empty: upload(() => ({ id: 1, name: "photo.jpg" })),
    given: {
      ...upload(() => ({ id: 2, name: "new.jpg" })),
      show: () => <Upload given={{ id: 1, name: "photo.jpg" }} />,
    },
    slow: upload(() => held({ id: 1, name: "photo.jpg" })),
    refused: upload(() => refused("图片无法识别，请换一张")),
  },
};
