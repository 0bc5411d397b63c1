// Which passwords will do.
import { describe, expect, it } from "vitest";
import { passwordChecks } from "./password.rules.ts";

const unmet = (password: string) =>
  passwordChecks(password, "operator")
    .filter((check) => !check.isMet)
    .map((check) => check.rule);

describe("New passwords", () => {
  it("are long, mixed, varied, and not to be guessed", () => {
    expect(unmet("Kf7-mulberry")).toEqual([]);
    expect(unmet("Kf7-mulbe")).toEqual(["至少 10 个字符"]);
    expect(unmet("mulberrytree")).toEqual(["大写、小写、数字、符号至少两种"]);
    expect(unmet("ab1ab1ab1ab1")).toEqual(["至少 5 个不同的字符"]);
    expect(unmet("Operator-77x")).toEqual(["不含账号和常见密码"]);
    expect(unmet("xQwerty-2026")).toEqual(["不含账号和常见密码"]);
    expect(unmet("")).toHaveLength(4);
  });
});
