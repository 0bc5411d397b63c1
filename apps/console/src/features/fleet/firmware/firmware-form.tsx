// Form for uploading firmware: file, version, models, maker's signature; later only texts change.
import { cabinetModelContract } from "@cabinet/contract/equipment/cabinet-model/cabinet-model.contract.ts";
import {
  type Firmware,
  type FirmwareFile,
  FirmwareWords,
  firmwareContract,
  NewFirmware,
} from "@cabinet/contract/fleet/firmware/firmware.contract.ts";
import { Strict } from "@cabinet/contract/kit/fields.ts";
import { sizeText } from "@cabinet/contract/kit/upload.rules.ts";
import Input from "antd/es/input";
import Select from "antd/es/select";
import { Type } from "typebox";
import { toast } from "../../../kit/feedback.ts";
import { useCall, useWrite } from "../../../kit/query.ts";
import { counted } from "../../../ui/form/counted.ts";
import { FileUpload, type FileUploadProps } from "../../../ui/form/file-upload.tsx";
import { FormDrawer } from "../../../ui/form/form-frames.tsx";
import type { FieldOf } from "../../../ui/form/record-form.tsx";
import { FirmwareCode } from "./firmware-detail.tsx";

const { version, minVersion, notes, modelIds, signature } = NewFirmware.properties;
const NewFields = Strict({
  file: Type.Unsafe<FirmwareFile>({ type: "object" }),
  version,
  modelIds,
  signature,
  minVersion,
  notes,
});

interface FirmwareFormProps {
  open: boolean;
  /** Null for a new upload. */
  firmware: Firmware | null;
  onClose: () => void;
}

export function FirmwareForm({ open, firmware, onClose }: FirmwareFormProps) {
  const create = useWrite(firmwareContract.create);
  const update = useWrite(firmwareContract.update);
  const models = useCall(
    cabinetModelContract.options,
    {},
    { enabled: open && !firmware, staleTime: 60_000 },
  );
  if (firmware) {
    return (
      <FormDrawer
        open={open}
        title={`修改说明：固件 ${firmware.version}`}
        schema={FirmwareWords}
        fields={wordFields(firmware.state !== "DRAFT")}
        initial={{ minVersion: firmware.minVersion, notes: firmware.notes }}
        submit={async (body) => {
          await update.mutateAsync({ params: { id: firmware.id }, body });
          toast.success(`固件 ${firmware.version} 的说明已保存`);
        }}
        onClose={onClose}
      />
    );
  }
  const options = models.data?.map(({ id, name }) => ({ value: id, label: name }));
  return (
    <FormDrawer
      open={open}
      title="上传固件"
      width={600}
      schema={NewFields}
      fields={[...imageFields(options), ...wordFields(false)]}
      initial={{ minVersion: "0.0.0", notes: "" }}
      submitText="保存为草稿"
      submit={async ({ file, ...rest }) => {
        await create.mutateAsync({ body: { ...rest, fileId: file.fileId } });
        toast.success(`固件 ${rest.version} 签名验证通过，已保存为草稿`);
      }}
      onClose={onClose}
    />
  );
}

function imageFields(
  models: { value: number; label: string }[] | undefined,
): FieldOf<typeof NewFields>[] {
  return [
    { name: "file", label: "固件文件", control: <FirmwareFileInput /> },
    {
      name: "version",
      label: "版本号",
      control: <Input placeholder="如：2.1.0" />,
      hint: "主版本.次版本.修订号；每个型号的版本号只能用一次，且须与程序上报的版本一致",
    },
    {
      name: "modelIds",
      label: "适用型号",
      control: (
        <Select
          mode="multiple"
          placeholder="请选择型号"
          showSearch={{ optionFilterProp: "label" }}
          loading={!models}
          options={models ?? []}
        />
      ),
      hint: "每个型号都须先登记厂家公钥",
    },
    {
      name: "signature",
      label: "厂家签名",
      control: <Input.TextArea rows={2} maxLength={100} placeholder="由厂家提供，86 个字符" />,
      hint: "厂家用自己的 Ed25519 私钥对文件的 SHA-256 签名；平台和设备都用公钥验证",
    },
  ];
}

function wordFields(isMinVersionFixed: boolean): FieldOf<typeof FirmwareWords>[] {
  return [
    {
      name: "minVersion",
      label: "最低版本",
      control: <Input placeholder="如：1.4.0" disabled={isMinVersionFixed} />,
      hint: isMinVersionFixed ? "发布后不能修改" : "低于这个版本的设备不能直接升级；0.0.0 表示不限",
    },
    {
      name: "notes",
      label: "更新说明",
      control: (
        <Input.TextArea rows={4} count={counted(2000)} placeholder="修正了什么，新增了什么" />
      ),
    },
  ];
}

type UploadValue = Pick<
  FileUploadProps<typeof firmwareContract.upload>,
  "id" | "value" | "onChange"
>;

function FirmwareFileInput(given: UploadValue) {
  return (
    <FileUpload
      {...given}
      spec={firmwareContract.upload}
      preview={(file) => (
        <span className="firmware-file">
          <b>{file.name}</b>
          <span>{sizeText(file.sizeBytes)}</span>
          <FirmwareCode>{`SHA-256 ${file.sha256}`}</FirmwareCode>
        </span>
      )}
    />
  );
}
