// 新建故障: reports a malfunction by hand, before the cabinet reports it itself.
import { cabinetContract } from "@cabinet/contract/fleet/cabinet/cabinet.contract.ts";
import {
  MalfunctionDraft,
  type MalfunctionPhoto,
  malfunctionContract,
} from "@cabinet/contract/operations/malfunction/malfunction.contract.ts";
import { severityText } from "@cabinet/contract/operations/malfunction/malfunction.rules.ts";
import { malfunctionKindText } from "@cabinet/contract/vocabulary/malfunction.rules.ts";
import Input from "antd/es/input";
import InputNumber from "antd/es/input-number";
import Select from "antd/es/select";
import { useDeferredValue, useState } from "react";
import { Type } from "typebox";
import { toast } from "../../../kit/feedback.ts";
import { useCall, useWrite } from "../../../kit/query.ts";
import type { Control } from "../../../ui/form/control.ts";
import { FormDrawer } from "../../../ui/form/form-frames.tsx";
import { choicesOf } from "../../../ui/list/filters.tsx";
import { usePhotosField } from "./photos-input.tsx";

const { photoIds: _, compartmentNo, ...fields } = MalfunctionDraft.properties;
const Form = Type.Object({
  ...fields,
  compartmentNo: Type.Optional(compartmentNo),
  photos: Type.Optional(Type.Unsafe<MalfunctionPhoto[]>({})),
});

export interface CreateMalfunctionProps {
  isOpen: boolean;
  onClose: () => void;
  onCreated: (id: number) => void;
}

export function CreateMalfunction({ isOpen, onClose, onCreated }: CreateMalfunctionProps) {
  const create = useWrite(malfunctionContract.create);
  const [tenantId, setTenantId] = useState<number>();
  const photoField = usePhotosField(tenantId);
  return (
    <FormDrawer
      open={isOpen}
      title="新建故障"
      schema={Form}
      initial={{ severity: "NORMAL" }}
      fields={[
        {
          name: "cabinetId",
          label: "设备",
          control: <CabinetPick onTenant={setTenantId} />,
        },
        {
          name: "compartmentNo",
          label: "格口",
          control: <InputNumber min={1} max={999} precision={0} placeholder="格口号" />,
          hint: "整台设备的故障不填",
        },
        {
          name: "kind",
          label: "故障类型",
          control: <Select options={choicesOf(malfunctionKindText)} placeholder="请选择" />,
        },
        {
          name: "severity",
          label: "级别",
          control: <Select options={choicesOf(severityText)} />,
        },
        {
          name: "description",
          label: "故障现象",
          control: (
            <Input.TextArea
              rows={3}
              maxLength={500}
              placeholder="如：3 号格口的门关不严，一推就开"
            />
          ),
        },
        photoField,
      ]}
      submitText="登记故障"
      submit={async ({ photos = [], compartmentNo: no = null, ...draft }) => {
        const photoIds = photos.map(({ id }) => id);
        const { id } = await create.mutateAsync({
          body: { ...draft, compartmentNo: no, photoIds },
        });
        toast.success(`故障 #${id} 已登记`);
        onCreated(id);
      }}
      onClose={onClose}
    />
  );
}

const FOUND = 20;

interface CabinetPickProps extends Control<number, number | undefined> {
  /** Receives the tenant of the chosen cabinet. */
  onTenant: (tenantId: number | undefined) => void;
}

function CabinetPick({ onTenant, id, value, onChange }: CabinetPickProps) {
  const [words, setWords] = useState("");
  const keyword = useDeferredValue(words.trim());
  const found = useCall(cabinetContract.list, {
    query: { page: 1, pageSize: FOUND, sort: "name", ...(keyword && { keyword }) },
  });
  const cabinets = found.data?.list ?? [];
  return (
    <Select
      {...(id && { id })}
      showSearch={{ filterOption: false, onSearch: setWords }}
      placeholder="输入编号或名称查找"
      loading={found.isFetching}
      notFoundContent={
        found.error?.message ?? (found.isLoading ? "正在加载…" : "暂无符合条件的设备")
      }
      value={value}
      options={cabinets.map((cabinet) => ({
        value: cabinet.id,
        label: `${cabinet.name}（${cabinet.sn}）${cabinet.storeName ? `· ${cabinet.storeName}` : ""}`,
      }))}
      onChange={(chosen: number | undefined) => {
        onTenant(cabinets.find((cabinet) => cabinet.id === chosen)?.tenantId);
        onChange?.(chosen);
      }}
    />
  );
}
