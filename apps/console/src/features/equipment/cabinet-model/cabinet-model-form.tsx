// Form of a cabinet model; before saving one in use it shows the effect on its cabinets.
import {
  type CabinetModelDetail,
  CabinetModelDraft,
  cabinetModelContract,
} from "@cabinet/contract/equipment/cabinet-model/cabinet-model.contract.ts";
import {
  CAPABILITIES,
  capabilityText,
  HEARTBEAT_SECONDS,
  OFFLINE_SECONDS,
  thresholdProblem,
} from "@cabinet/contract/equipment/cabinet-model/cabinet-model.rules.ts";
import {
  changeOf,
  isEmptyChange,
  type LayoutChange,
  layoutProblems,
  listNos,
} from "@cabinet/contract/equipment/cabinet-model/layout.rules.ts";
import { sideText } from "@cabinet/contract/vocabulary/hardware.rules.ts";
import Alert from "antd/es/alert";
import Checkbox from "antd/es/checkbox";
import Form from "antd/es/form";
import Input from "antd/es/input";
import InputNumber from "antd/es/input-number";
import Radio from "antd/es/radio";
import { useState } from "react";
import { useLocation } from "react-router";
import { confirm, messageOf, toast } from "../../../kit/feedback.ts";
import { releasePage } from "../../../kit/leaving.ts";
import { useNavigate } from "../../../kit/paths.ts";
import { useWrite } from "../../../kit/query.ts";
import { ActionDialog, type ConfirmOptions } from "../../../ui/display/action.tsx";
import { Button } from "../../../ui/display/button.tsx";
import { dropDraft, keepDraft, readDraft } from "../../../ui/form/draft.ts";
import { FormField } from "../../../ui/form/record-form.tsx";
import { RestoredNote } from "../../../ui/form/restored-note.tsx";
import { useLeaveGuard } from "../../../ui/form/use-leave-guard.ts";
import { firstLayout } from "./layout-draft.rules.ts";
import { LayoutEditor } from "./layout-editor.tsx";
import "./cabinet-model-form.css";

const list = "/cupboard/ModelList";

interface CabinetModelFormProps {
  /** Model to edit or copy; null: a new one. */
  model: CabinetModelDetail | null;
  isCopy: boolean;
}

function initialOf({ model, isCopy }: CabinetModelFormProps): CabinetModelDraft {
  if (!model) {
    return {
      name: "",
      side: "SINGLE",
      vendor: "",
      capabilities: ["OPEN", "REBOOT", "RESYNC", "CONFIG", "ITEM_SENSOR"],
      heartbeatSeconds: HEARTBEAT_SECONDS.usual,
      offlineSeconds: OFFLINE_SECONDS.usual,
      remark: "",
      layout: firstLayout(),
    };
  }
  const { side, vendor, capabilities, heartbeatSeconds, offlineSeconds, remark, layout } = model;
  const name = isCopy ? `${model.name} 副本`.slice(0, 40) : model.name;
  return { name, side, vendor, capabilities, heartbeatSeconds, offlineSeconds, remark, layout };
}

export function CabinetModelForm({ model, isCopy }: CabinetModelFormProps) {
  const [form] = Form.useForm<CabinetModelDraft>();
  const navigate = useNavigate();
  const { pathname, search } = useLocation();
  const draftName = `${pathname}${search}`;
  const [own] = useState(() => initialOf({ model, isCopy }));
  const [restored, setRestored] = useState(() => readDraft(draftName, { ...own }));
  const initial: CabinetModelDraft = { ...own, ...restored?.values };
  const [isDirty, setIsDirty] = useState(restored !== null);
  const [isBusy, setIsBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [question, setQuestion] = useState<ConfirmOptions | null>(null);
  const [layout, setLayout] = useState(initial.layout);
  const create = useWrite(cabinetModelContract.create);
  const update = useWrite(cabinetModelContract.update);
  const existing = isCopy ? null : model;
  const inUse = existing?.cabinetCount ?? 0;
  const side = Form.useWatch("side", form) ?? initial.side;

  useLeaveGuard(isDirty, async () => {
    const isAgreed = await confirm({
      title: "放弃未保存的内容？",
      content: "设备型号的修改未保存，离开后不能恢复。",
      ok: "放弃",
      cancel: "继续编辑",
      isDanger: true,
    });
    if (isAgreed) dropDraft(draftName);
    return isAgreed;
  });
  const keep = (changed: Partial<CabinetModelDraft>) => {
    setIsDirty(true);
    const typed = { ...form.getFieldsValue(true), layout, ...changed };
    keepDraft(draftName, CabinetModelDraft, { ...own }, typed);
  };
  const forget = () => {
    dropDraft(draftName);
    setRestored(null);
    setIsDirty(false);
    form.setFieldsValue(own);
    setLayout(own.layout);
  };
  const leave = () => void navigate(list);

  const done = (text: string) => {
    toast.success(text);
    dropDraft(draftName);
    releasePage();
    leave();
  };
  const save = async (draft: CabinetModelDraft, reason?: string) => {
    if (!existing) {
      await create.mutateAsync({ body: draft });
      return done(`已新增设备型号“${draft.name}”`);
    }
    const { changedCabinets } = await update.mutateAsync({
      params: { id: existing.id },
      body: { ...draft, version: existing.version, ...(reason && { reason }) },
    });
    const moved = changedCabinets > 0 ? `，${changedCabinets} 台设备的格口已调整` : "";
    done(`已保存“${draft.name}”${moved}`);
  };
  const send = async (values: CabinetModelDraft) => {
    const draft = { ...initial, ...values, layout };
    const problems = layoutProblems(layout).length;
    setFailure(problems > 0 ? `布局还有 ${problems} 处需要修正，见布局上方的列表` : null);
    if (problems > 0) return;
    const change = existing && changeOf(existing.layout.cells, draft.layout.cells);
    if (change && inUse > 0 && !isEmptyChange(change)) {
      setQuestion(questionOf(change, inUse, (reason) => save(draft, reason)));
      return;
    }
    setIsBusy(true);
    try {
      await save(draft);
    } catch (error) {
      setFailure(messageOf(error));
    } finally {
      setIsBusy(false);
    }
  };

  const field = (
    name: keyof CabinetModelDraft,
    label: string,
    control: React.ReactElement,
    hint?: string,
  ) => (
    <FormField schema={CabinetModelDraft} field={{ name, label, control, ...(hint && { hint }) }} />
  );
  return (
    <Form
      form={form}
      layout="vertical"
      className="ui-form model-form"
      initialValues={initial}
      requiredMark
      scrollToFirstError={{ focus: true }}
      onValuesChange={() => keep({})}
      onFinish={(values) => void send(values)}
    >
      {/* Input during a save would be lost. */}
      <fieldset className="ui-form-fields" disabled={isBusy} inert={isBusy}>
        {restored && <RestoredNote restored={restored} fields={[]} onForget={forget} />}
        <div className="model-fields">
          {field("name", "名称", <Input placeholder="如：单面柜 24 格" />)}
          {field("vendor", "厂商", <Input placeholder="选填" />)}
          {field(
            "side",
            "单双面",
            <Radio.Group
              disabled={inUse > 0}
              options={Object.entries(sideText).map(([value, label]) => ({ value, label }))}
            />,
            inUse > 0 ? `正被 ${inUse} 台设备使用，不能更改` : undefined,
          )}
          {field(
            "heartbeatSeconds",
            `心跳间隔（${HEARTBEAT_SECONDS.min}–${HEARTBEAT_SECONDS.max} 秒）`,
            <InputNumber precision={0} suffix="秒" />,
            "设备没有单独设置时按此上报",
          )}
          <Form.Item
            name="offlineSeconds"
            label={`离线阈值（${OFFLINE_SECONDS.min}–${OFFLINE_SECONDS.max} 秒）`}
            extra="超过该时长未上报则判定离线"
            dependencies={["heartbeatSeconds"]}
            required
            rules={[
              {
                validator: (_, value) =>
                  checkOffline(form.getFieldValue("heartbeatSeconds"), value),
              },
            ]}
          >
            <InputNumber precision={0} suffix="秒" />
          </Form.Item>
          {field("remark", "备注", <Input placeholder="选填" />)}
        </div>
        <section className="model-layout" aria-label="布局">
          <h3>
            布局
            {inUse > 0 && <span>正被 {inUse} 台设备使用，保存后它们的格口随之调整</span>}
          </h3>
          <LayoutEditor
            key={String(restored !== null)}
            initial={initial.layout}
            isDouble={side === "DOUBLE"}
            modelId={existing?.id ?? null}
            onLayout={(changed) => {
              setLayout(changed);
              setFailure(null);
              keep({ layout: changed });
            }}
          />
        </section>
        <Form.Item name="capabilities" label="能力">
          <Checkbox.Group className="model-capability-choice">
            {CAPABILITIES.map((capability) => (
              <Checkbox key={capability} value={capability}>
                {capabilityText[capability].name}
                <span>{capabilityText[capability].meaning}</span>
              </Checkbox>
            ))}
          </Checkbox.Group>
        </Form.Item>
      </fieldset>
      <div className="ui-form-foot model-foot">
        {failure && <Alert type="error" showIcon role="alert" title={failure} />}
        <div className="ui-form-buttons">
          <Button disabled={isBusy} onClick={leave}>
            取消
          </Button>
          <Button type="primary" htmlType="submit" loading={isBusy}>
            保存
          </Button>
        </div>
      </div>
      <ActionDialog question={question} onClose={() => setQuestion(null)} />
    </Form>
  );
}

async function checkOffline(heartbeat: number | null, offline: number | null): Promise<void> {
  if (offline === null || offline === undefined) throw new Error("离线阈值不能为空");
  const { min, max } = OFFLINE_SECONDS;
  if (offline < min || offline > max) throw new Error(`离线阈值须在 ${min}–${max} 秒之间`);
  const problem = heartbeat ? thresholdProblem(heartbeat, offline) : null;
  if (problem) throw new Error(problem);
}

function questionOf(
  { added, changed: moved, removed }: LayoutChange,
  cabinets: number,
  save: (reason: string) => Promise<void>,
): ConfirmOptions {
  const lines = [
    ["新增格口", added],
    ["位置、大小或驱动板地址改变", moved],
    ["删除格口", removed],
  ] as const;
  return {
    title: "调整在用设备的格口",
    effect: (
      <>
        有 <b>{cabinets} 台设备</b>使用该类型，保存后它们的格口立即随之调整：
        <ul className="model-change">
          {lines.map(
            ([text, nos]) =>
              nos.length > 0 && (
                <li key={text}>
                  {text}：<b>{listNos(nos)} 号</b>
                </li>
              ),
          )}
        </ul>
        {removed.length > 0 && "任何一台设备的这些格口里还有物品或正在开门时，不会保存。"}
        请先与现场核对格口号和驱动板接线。
      </>
    ),
    confirm: "保存并调整",
    isDanger: removed.length > 0,
    reasons: ["更正布局录入错误", "柜体改造", "更换驱动板"],
    run: save,
  };
}
