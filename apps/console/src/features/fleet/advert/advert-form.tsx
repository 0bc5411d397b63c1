// Form of an advert: file, position, schedule and target cabinets, with a live preview.
import {
  type Advert,
  AdvertDraft,
  type AdvertFile,
  advertContract,
} from "@cabinet/contract/fleet/advert/advert.contract.ts";
import {
  type AdvertPosition,
  advertPositionSize,
  advertPositionText,
} from "@cabinet/contract/fleet/advert/advert.rules.ts";
import { Strict } from "@cabinet/contract/kit/fields.ts";
import Form from "antd/es/form";
import Input from "antd/es/input";
import InputNumber from "antd/es/input-number";
import Radio from "antd/es/radio";
import { useState } from "react";
import { type Static, Type } from "typebox";
import { TenantItem } from "../../../domain/tenant/tenant-item.tsx";
import { toast } from "../../../kit/feedback.ts";
import { useIsPlatform } from "../../../kit/permission.ts";
import { useWrite } from "../../../kit/query.ts";
import { useSignedIn } from "../../../kit/session.ts";
import { counted } from "../../../ui/form/counted.ts";
import { DayInput } from "../../../ui/form/day-input.tsx";
import { FileUpload, type FileUploadProps } from "../../../ui/form/file-upload.tsx";
import { FormDrawer } from "../../../ui/form/form-frames.tsx";
import type { FieldOf } from "../../../ui/form/record-form.tsx";
import { type Hours, HoursInput } from "./advert-hours.tsx";
import { fileFacts } from "./advert-media.tsx";
import { AdvertScreen } from "./advert-screen.tsx";
import { type Target, TargetInput, targetProblem } from "./advert-target.tsx";
import "./advert-form.css";

/** Shape of the form: related fields of the call form a single value. */
const AdvertFields = Strict({
  title: AdvertDraft.properties.title,
  file: Type.Unsafe<AdvertFile>({ type: "object" }),
  position: AdvertDraft.properties.position,
  durationSeconds: AdvertDraft.properties.durationSeconds,
  fromDate: Type.Optional(Type.String()),
  untilDate: Type.Optional(Type.String()),
  hours: Type.Unsafe<Hours | null>({ type: ["object", "null"] }),
  target: Type.Unsafe<Target>({ type: "object" }),
});
type AdvertFields = Static<typeof AdvertFields>;

const EVERYWHERE: Target = { kind: "ALL", chosen: [], side: null };

function fieldsOf(advert: Advert): AdvertFields {
  const { title, file, position, durationSeconds, fromTime, untilTime } = advert;
  return {
    title,
    file,
    position,
    durationSeconds,
    ...(advert.fromDate && { fromDate: advert.fromDate }),
    ...(advert.untilDate && { untilDate: advert.untilDate }),
    hours: fromTime && untilTime ? { from: fromTime, until: untilTime } : null,
    target: { kind: advert.targetKind, chosen: advert.targets, side: advert.targetSide },
  };
}

function draftOf(fields: AdvertFields): AdvertDraft {
  const { title, file, position, durationSeconds, hours, target } = fields;
  return {
    title,
    fileId: file.id,
    position,
    durationSeconds,
    fromDate: fields.fromDate ?? null,
    untilDate: fields.untilDate ?? null,
    fromTime: hours?.from ?? null,
    untilTime: hours?.until ?? null,
    targetKind: target.kind,
    targetIds: target.chosen.map(({ id }) => id),
    targetSide: target.side,
  };
}

/** Null: the form is closed. `new`: an advert to be created. */
export type Editing = Advert | "new" | null;

interface AdvertFormProps {
  editing: Editing;
  onClose: () => void;
}

export function AdvertForm({ editing, onClose }: AdvertFormProps) {
  // Keeps the edited advert's name during the closing animation.
  const [shown, setShown] = useState<Exclude<Editing, null>>("new");
  if (editing && editing !== shown) setShown(editing);
  const session = useSignedIn();
  const isPlatform = useIsPlatform();
  const [chosenTenantId, setTenantId] = useState(session.tenantId);
  const create = useWrite(advertContract.create);
  const update = useWrite(advertContract.update);
  const advert = shown === "new" ? null : shown;
  const tenantId = advert?.tenantId ?? chosenTenantId;
  return (
    <FormDrawer
      open={editing !== null}
      title={advert ? `编辑广告：${advert.title}` : "新增广告"}
      width={640}
      schema={AdvertFields}
      fields={advertFields(tenantId)}
      initial={
        advert
          ? fieldsOf(advert)
          : { position: "STANDBY", durationSeconds: 10, hours: null, target: EVERYWHERE }
      }
      submit={async (fields) => {
        const body = draftOf(fields);
        if (advert) await update.mutateAsync({ params: { id: advert.id }, body });
        else await create.mutateAsync({ body: { ...body, tenantId } });
        toast.success(
          advert
            ? `广告“${body.title}”已保存${advert.state === "ON" ? "，设备会自动更新" : ""}`
            : `广告“${body.title}”已保存为草稿，上架后设备开始下载`,
        );
      }}
      onClose={onClose}
    >
      <LivePreview />
      {isPlatform && !advert && <TenantChoice tenantId={tenantId} onChange={setTenantId} />}
    </FormDrawer>
  );
}

function advertFields(tenantId: number): FieldOf<typeof AdvertFields>[] {
  return [
    {
      name: "title",
      label: "标题",
      control: <Input count={counted()} placeholder="如：双十二优惠" />,
      hint: "只在后台显示，用来区分广告",
    },
    {
      name: "position",
      label: "位置",
      control: (
        <Radio.Group
          options={Object.entries(advertPositionText).map(([value, label]) => {
            const { width, height } = advertPositionSize[value as AdvertPosition];
            return { value, label: `${label}（${width}×${height}）` };
          })}
        />
      ),
      hint: "尺寸不同的素材会居中裁切，铺满所在位置",
    },
    { name: "file", label: "图片或视频", control: <AdvertFileInput tenantId={tenantId} /> },
    {
      name: "durationSeconds",
      label: "播放时长（3–600 秒）",
      control: <InputNumber precision={0} suffix="秒" />,
      hint: "多个广告按顺序轮播；视频短于这个时长时循环播放",
    },
    {
      name: "fromDate",
      label: "开始日期",
      hint: "不填则上架后立即开始",
      control: <DayInput placeholder="立即开始" />,
    },
    {
      name: "untilDate",
      label: "结束日期",
      control: <DayInput placeholder="长期" />,
      hint: "不填则长期投放；结束当天仍会播放",
    },
    { name: "hours", label: "每日时段", control: <HoursInput /> },
    {
      name: "target",
      label: "投放范围",
      control: <TargetInput tenantId={tenantId} />,
      problem: (value) => targetProblem(value as Target),
    },
  ];
}

type UploadValue = Pick<FileUploadProps<typeof advertContract.upload>, "id" | "value" | "onChange">;

/**
 * Sets the duration to the length of an uploaded video (limited to 3–600 s), so that it plays once.
 */
function AdvertFileInput({ tenantId, onChange, ...given }: UploadValue & { tenantId: number }) {
  const form = Form.useFormInstance();
  return (
    <FileUpload
      {...given}
      spec={advertContract.upload}
      fields={{ tenantId }}
      onChange={(file) => {
        onChange?.(file);
        if (!file?.durationMs) return;
        const seconds = Math.min(600, Math.max(3, Math.round(file.durationMs / 1000)));
        form.setFieldValue("durationSeconds", seconds);
      }}
      preview={(file) => (
        <span className="advert-file">
          <b>{file.name}</b>
          <span>{fileFacts(file)}</span>
        </span>
      )}
    />
  );
}

/** Preview as the cabinet will show it. */
function LivePreview() {
  const position: AdvertPosition = Form.useWatch("position") ?? "STANDBY";
  const file: AdvertFile | null = Form.useWatch("file") ?? null;
  const title: string = Form.useWatch("title") ?? "";
  return (
    <div className="advert-form-preview">
      <AdvertScreen position={position} file={file} title={title} />
    </div>
  );
}

interface TenantChoiceProps {
  tenantId: number;
  onChange: (tenantId: number) => void;
}

/** Files and cabinets belong to a tenant: changing the tenant resets them. */
function TenantChoice({ tenantId, onChange }: TenantChoiceProps) {
  const form = Form.useFormInstance();
  return (
    <TenantItem
      required
      value={tenantId}
      onChange={(next) => {
        onChange(next);
        form.setFieldsValue({ file: undefined, target: EVERYWHERE });
      }}
    />
  );
}
