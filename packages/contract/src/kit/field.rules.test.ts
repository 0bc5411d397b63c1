// Form validation messages name the field by its label.

import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { deviceStockContract } from "../equipment/device-stock/device-stock.contract.ts";
import { CabinetConfig, cabinetContract } from "../fleet/cabinet/cabinet.contract.ts";
import { MenuEntryDraft } from "../identity/access/access.contract.ts";
import { orderActionContract } from "../orders/order/order-action.contract.ts";
import { TenantSettingDraft } from "../organization/tenant-setting/tenant-setting.contract.ts";
import { completeValues, fieldProblem, fitsSchema, isRequired } from "./field.rules.ts";
import { Nullable, OneOf } from "./fields.ts";

const { volume, lightOnAt } = CabinetConfig.properties;
const { reason } = cabinetContract.pause.body.properties;

describe("form rules read from a request schema", () => {
  it("require the fields that the request requires", () => {
    expect(isRequired(MenuEntryDraft, "title")).toBe(true);
    expect(isRequired(MenuEntryDraft, "parentId")).toBe(false);
    expect(isRequired(MenuEntryDraft, "icon")).toBe(false);
    expect(isRequired(MenuEntryDraft, "permissions")).toBe(false);
    expect(isRequired(TenantSettingDraft, "isHint")).toBe(false);
    expect(isRequired(CabinetConfig, "volume")).toBe(false);
    expect(isRequired(cabinetContract.assignStore.body, "cabinetIds")).toBe(true);
    expect(isRequired(orderActionContract.markException.body, "fault")).toBe(true);
  });

  it("check the bounds of numbers", () => {
    expect(fieldProblem(volume, "音量", 50)).toBeNull();
    expect(fieldProblem(volume, "音量", 101)).toBe("音量不能大于 100");
    expect(fieldProblem(volume, "音量", -1)).toBe("音量不能小于 0");
    expect(fieldProblem(volume, "音量", 1.5)).toBe("音量须为整数");
    expect(fieldProblem(volume, "音量", undefined)).toBeNull();
  });

  it.each(["1.20261234E+15", "1.20261234e15", "1.2E+15"])(
    "name a number that a spreadsheet has shortened: %s",
    (text) => {
      const sn = deviceStockContract.add.body.properties.sn;
      expect(fieldProblem(sn, "设备编号", text)).toBe(
        `设备编号“${text}”被表格软件改成了科学计数法，请按原来的数字填写`,
      );
      expect(fieldProblem(sn, "设备编号", "1E23456789")).toBeNull();
    },
  );

  it("accept valid dates and nothing else as a date", () => {
    const day = Type.String({ format: "date" });
    const time = Type.String({ format: "date-time" });
    expect(fieldProblem(day, "开始", "2026-11-21")).toBeNull();
    expect(fieldProblem(time, "结束", "2026-11-21T10:00:00.000Z")).toBeNull();
    for (const text of ["后天", "3", "2026-13-41", "明天 12:00"]) {
      expect(fieldProblem(day, "开始", text)).toContain(`开始“${text}”不是可以识别的时间`);
      expect(fieldProblem(time, "结束", text)).toContain("2026-11-21 18:00");
    }
  });

  it("check texts and lists of texts", () => {
    expect(fieldProblem(reason, "原因", "坏")).toBe("原因至少 2 个字");
    expect(fieldProblem(reason, "原因", "x".repeat(201))).toBe("原因最多 200 个字");
    expect(fieldProblem(lightOnAt, "开灯时间", "25:00")).toBe("开灯时间的格式不正确");
    const { servicePhone } = TenantSettingDraft.properties;
    expect(fieldProblem(servicePhone, "客服电话", "abc")).toBe(
      "客服电话的格式不正确，如 0571-88886666",
    );
    const { permissions } = MenuEntryDraft.properties;
    expect(fieldProblem(permissions, "权限标识", ["cabinet:read"])).toBeNull();
    const { cabinetIds } = cabinetContract.assignStore.body.properties;
    expect(fieldProblem(cabinetIds, "设备", [])).toBe("设备不能为空");
    expect(fieldProblem(permissions, "权限标识", ["Cabinet"])).toBe("“Cabinet”的格式不正确");
  });
});

describe("values of a form", () => {
  const schema = Type.Object({
    tenantId: Type.Integer({ minimum: 1 }),
    name: Type.String({ minLength: 1 }),
    remark: Type.String({ maxLength: 3 }),
    storeIds: Type.Array(Type.Integer()),
    managerId: Nullable(Type.Integer()),
    limit: Type.Optional(Type.Integer({ maximum: 9 })),
    kind: OneOf(["A", "B"]),
  });
  const complete = {
    ...{ tenantId: 2, name: "一号", remark: "", storeIds: [], managerId: null, kind: "A" },
  };

  it("get what the form does not show, and empty values where nobody typed", () => {
    const shown = { name: "一号", managerId: undefined, limit: null };
    const initial = { tenantId: 2, managerId: 5, limit: 3, kind: "A" };
    expect(completeValues(schema, shown, initial)).toEqual(complete);
  });

  it("fit the schema only if each has the right type and bounds", () => {
    expect(fitsSchema(schema, complete)).toBe(true);
    expect(fitsSchema(schema, { ...complete, limit: 9 })).toBe(true);
    for (const wrong of [
      { tenantId: undefined },
      { tenantId: "2" },
      { tenantId: 0 },
      { name: null },
      { remark: "太长的备注" },
      { storeIds: null },
      { managerId: undefined },
      { limit: null },
      { limit: 10 },
      { kind: "C" },
    ]) {
      expect(fitsSchema(schema, { ...complete, ...wrong }), JSON.stringify(wrong)).toBe(false);
    }
  });
});
