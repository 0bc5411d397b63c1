// Lines of an import: cells become drafts by the schema of the noun, cleaned as its form cleans them.
import { Type } from "typebox";
import { expect, it, test } from "vitest";
import { Nullable, nameOf, OptionalPhone, Strict } from "./fields.ts";
import { judgeDrafts } from "./judge-lines.rules.ts";

const schema = Strict({
  code: Type.String({ title: "编码", minLength: 1, maxLength: 8, pattern: "^[A-Z0-9-]+$" }),
  name: nameOf("名称", 1, 6),
  phone: { ...OptionalPhone, title: "电话" },
  degrees: Nullable(Type.Number({ title: "经度", minimum: 73, maximum: 136 })),
  remark: Type.String({ title: "备注", maxLength: 10 }),
});
const judge = (...lines: Record<string, string>[]) =>
  judgeDrafts(
    lines.map((cells, index) => ({ line: index + 2, cells })),
    ({ cells }) => cells,
    { schema, key: "code", taken: new Map([["T-1", "已有"]]) },
  );

it("cells are cleaned by the field that they become", () => {
  const [line] = judge({
    code: " Ａ－１\u200b",
    name: " 东\u00a0门 ",
    phone: "+86 138-1234-5678",
    degrees: " １２０.５ ",
    remark: "一\u202e二\u0007",
  });
  expect(line).toEqual({
    line: 2,
    result: "READY",
    message: "可导入",
    draft: { code: "A-1", name: "东 门", phone: "13812345678", degrees: 120.5, remark: "一二" },
  });
});

it("cells that a file does not have are empty values", () => {
  const [line] = judge({ code: "A", name: "东门" });
  expect(line?.draft).toEqual({ code: "A", name: "东门", phone: "", degrees: null, remark: "" });
});

test.each([
  [{ name: "东门" }, "INVALID", "编码为空"],
  [{ code: "A" }, "INVALID", "名称为空"],
  [{ code: "A", name: "\u200b" }, "INVALID", "名称"],
  [{ code: "A", name: "七个字的名称啊" }, "INVALID", "名称最多 6 个字"],
  [{ code: "A_1", name: "东门" }, "INVALID", "编码的格式不正确"],
  [{ code: "A", name: "东门", phone: "0571-8888" }, "INVALID", "电话应为"],
  [{ code: "A", name: "东门", degrees: "东经" }, "INVALID", "经度应为数字"],
  [{ code: "A", name: "东门", degrees: "Infinity" }, "INVALID", "经度应为数字"],
  [{ code: "A", name: "东门", degrees: "0x50" }, "INVALID", "经度应为数字"],
  [{ code: "A", name: "东门", degrees: "137" }, "INVALID", "经度不能大于 136"],
  [{ code: "A", name: "东门", remark: "长".repeat(11) }, "INVALID", "备注最多 10 个字"],
  [{ code: "Ｔ－1", name: "东门" }, "EXISTS", "已有"],
])("line %j: %s", (cells, result, why) => {
  expect(judge(cells)).toMatchObject([{ result, message: expect.stringContaining(why) }]);
});

it("the first of two lines with the same key is valid", () => {
  const lines = judge({ code: "A", name: "东门" }, { code: "Ａ", name: "西门" });
  expect(lines.map(({ result, message }) => [result, message])).toEqual([
    ["READY", "可导入"],
    ["DUPLICATE", "与第 2 行的编码重复"],
  ]);
});
