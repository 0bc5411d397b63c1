// Tests which names accounts may not take.
import { expect, it } from "vitest";
import { isReservedName } from "./display-name.rules.ts";

it.each([
  "系统",
  "系 统",
  "【系统】",
  "系统01",
  "系统（自动）",
  "平台管理员",
  "平台管理员2",
  "管理员",
  "System",
  "ＳＹＳＴＥＭ",
  "system-1",
  "Admin",
  "admin_01",
  "ROOT",
  "设备",
])("%s: reserved", (name) => {
  expect(isReservedName(name)).toBe(true);
});

it.each([
  "李伟",
  "王系统",
  "平台运营小王",
  "Adminson",
  "设备组张工",
  "demo1-operator",
  "李伟2",
  "2",
  "门店管理员王芳",
])("%s: free", (name) => {
  expect(isReservedName(name)).toBe(false);
});
