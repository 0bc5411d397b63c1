// Form of the edit page: filled once, kept through every error, saved against the version that it
// was filled from.
import {
  type CabinetDetail,
  CabinetEdit,
  cabinetContract,
} from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import { configProblem } from "@cabinet/contract/fleet/cabinet/cabinet.rules.ts";
import { storeContract } from "@cabinet/contract/organization/store/store.contract.ts";
import Form from "antd/es/form";
import Input from "antd/es/input";
import { useEffect, useState } from "react";
import { useLocation } from "react-router";
import { Type } from "typebox";
import { confirm, messageOf, toast } from "../../../kit/feedback.ts";
import { useCall, useWrite } from "../../../kit/query.ts";
import { PageCard } from "../../../ui/display/page-card.tsx";
import { dropDraft, keepDraft, readDraft } from "../../../ui/form/draft.ts";
import { OneSelect } from "../../../ui/form/one-select.tsx";
import { OpeningHoursInput } from "../../../ui/form/opening-hours-input.tsx";
import { type FieldOf, FormField } from "../../../ui/form/record-form.tsx";
import { RestoredNote } from "../../../ui/form/restored-note.tsx";
import { useLeaveGuard } from "../../../ui/form/use-leave-guard.ts";
import { changedParts, type EditForm, editOf, filledIn, formOf } from "./cabinet-edit.rules.ts";
import { CabinetEditBar } from "./cabinet-edit-bar.tsx";
import { CabinetEditConfig } from "./cabinet-edit-config.tsx";
import { CabinetEditPricing } from "./cabinet-edit-pricing.tsx";
import { CabinetTraits } from "./cabinet-traits.tsx";
import { PlaceChoice, placeChoiceProblem } from "./place-choice.tsx";

const DraftFields = Type.Object({ ...CabinetEdit.properties, hasOwnPricing: Type.Boolean() });

export interface CabinetEditFormProps {
  /** Current version. */
  cabinet: CabinetDetail;
  /** Refetches the cabinet and returns it. */
  refresh: () => Promise<CabinetDetail | undefined>;
}

export function CabinetEditForm({ cabinet, refresh }: CabinetEditFormProps) {
  const [form] = Form.useForm<EditForm>();
  /** Version that the form was filled from (optimistic locking). */
  const [base, setBase] = useState(cabinet);
  const { pathname, search } = useLocation();
  const draft = `${pathname}${search}`;
  const [restored, setRestored] = useState(() => readDraft(draft, { ...formOf(cabinet) }));
  const [initial] = useState<EditForm>(() => ({ ...formOf(cabinet), ...restored?.values }));
  const [changed, setChanged] = useState(() => changedParts(formOf(cabinet), initial));
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const save = useWrite(cabinetContract.update);
  const isDirty = changed.length > 0;
  const isOutdated =
    cabinet.editVersion !== base.editVersion ||
    cabinet.desiredConfigVersion !== base.desiredConfigVersion;

  useLeaveGuard(isDirty, async () => {
    const isAgreed = await confirm({
      title: "放弃未保存的修改？",
      content: `${changed.join("、")}的修改未保存，离开后不能恢复。`,
      ok: "放弃修改",
      cancel: "继续编辑",
      isDanger: true,
    });
    if (isAgreed) dropDraft(draft);
    return isAgreed;
  });

  const current = (): EditForm => form.getFieldsValue(true);
  const look = () => {
    setChanged(changedParts(formOf(base), current()));
    keepDraft(draft, DraftFields, { ...formOf(base) }, { ...current() });
  };
  const fill = (from: CabinetDetail) => {
    dropDraft(draft);
    setRestored(null);
    setBase(from);
    setChanged([]);
    setFailure(null);
    form.setFieldsValue({
      ...formOf(from),
      config: { ...emptyConfig(current()), ...from.desiredConfig },
    });
  };

  // Without unsaved input, shows what somebody else saved.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `fill` is new each time and reads nothing old.
  useEffect(() => {
    if (isOutdated && !isDirty && !isBusy) fill(cabinet);
  }, [isOutdated, isDirty, isBusy, cabinet]);

  const send = async () => {
    setIsBusy(true);
    setFailure(null);
    try {
      const values = current();
      const problem = configProblem(filledIn(values.config));
      if (problem) throw new Error(problem);
      const body = editOf(values, base);
      const reply = await save.mutateAsync({ params: { id: cabinet.id }, body });
      toast.success(savedText(reply));
      const fresh = await refresh();
      if (fresh) fill(fresh);
    } catch (error) {
      setFailure(messageOf(error));
      void refresh();
    } finally {
      setIsBusy(false);
    }
  };

  return (
    <Form
      form={form}
      layout="vertical"
      className="ui-form cabinet-edit-form"
      initialValues={initial}
      scrollToFirstError={{ focus: true, block: "center" }}
      onValuesChange={look}
      onFinish={() => void send()}
      onFinishFailed={() => setFailure("有内容需要改正，请看标红的项")}
    >
      {/* Text typed during a save would be lost. */}
      <div className="cabinet-edit-main" inert={isBusy}>
        {restored && (
          <RestoredNote restored={restored} fields={[]} onForget={() => fill(cabinet)} />
        )}
        <Basics cabinet={cabinet} />
        <CabinetEditPricing cabinet={cabinet} />
        <CabinetEditConfig cabinet={cabinet} />
      </div>
      <aside className="cabinet-edit-aside">
        <CabinetTraits cabinet={cabinet} />
      </aside>
      <CabinetEditBar
        changed={changed}
        failure={failure}
        isBusy={isBusy}
        newer={
          isOutdated && isDirty && !isBusy
            ? { by: cabinet.editedBy, parts: changedParts(formOf(base), formOf(cabinet)) }
            : null
        }
        onReset={() => fill(cabinet)}
        onKeep={() => {
          setBase(cabinet);
          setFailure(null);
          setChanged(changedParts(formOf(cabinet), current()));
        }}
      />
    </Form>
  );
}

/**
 * All settings of the form as null: `setFieldsValue` merges, and would keep a setting that is no
 * longer set.
 */
function emptyConfig({ config }: EditForm): Record<string, null> {
  return Object.fromEntries(Object.keys(config).map((name) => [name, null]));
}

function savedText(reply: { isConfigChanged: boolean; isConnected: boolean }): string {
  if (!reply.isConfigChanged) return "已保存";
  return reply.isConnected
    ? "已保存，参数已下发，设备确认后显示为一致"
    : "已保存；设备不在线，参数会在上线时自动同步";
}

function Basics({ cabinet }: { cabinet: CabinetDetail }) {
  const stores = useCall(storeContract.options, { query: { tenantId: cabinet.tenantId } });
  const fields: FieldOf<typeof CabinetEdit>[] = [
    { name: "name", label: "设备名称", control: <Input /> },
    {
      name: "storeId",
      label: "门店",
      control: (
        <OneSelect
          answer={{ data: stores.data ?? ownStore(cabinet), isLoading: stores.isLoading }}
          placeholder="未分配门店"
          isOptional
        />
      ),
    },
    {
      name: "servicePhone",
      label: "客服电话",
      control: <Input inputMode="tel" placeholder="如：0571-88886666 或 400-800-1234" />,
      hint: "显示在柜机屏幕和用户端；留空显示租户的客服电话",
    },
    {
      name: "openingHours",
      label: "开放时间",
      control: <OpeningHoursInput />,
      hint: cabinet.storeOpeningHours
        ? `未设置时以门店为准：${cabinet.storeOpeningHours}`
        : "未设置时以门店为准，门店也未设置时以租户为准",
      isWide: true,
    },
    {
      name: "place",
      label: "位置",
      control: <PlaceChoice cabinet={cabinet} />,
      problem: placeChoiceProblem,
      isWide: true,
    },
  ];
  return (
    <PageCard title="基本信息">
      <div className="cabinet-edit-fields">
        {fields.map((field) => (
          <FormField key={field.name} schema={CabinetEdit} field={field} />
        ))}
      </div>
    </PageCard>
  );
}

/** Names the present store until the list of stores has loaded. */
function ownStore({ storeId, storeName }: CabinetDetail) {
  return storeId === null ? [] : [{ id: storeId, name: storeName ?? `门店 ${storeId}` }];
}
