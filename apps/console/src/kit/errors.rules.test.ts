// Error catalogue of specification §8, line by line.
import { describe, expect, it } from "vitest";
import { describeFailure, type FailedReply } from "./errors.rules.ts";

const http = (status: number, more: Partial<FailedReply> = {}) =>
  describeFailure({ kind: "http", status, ...more });
const refused = (more: Partial<FailedReply>) =>
  describeFailure({ kind: "refused", status: 200, ...more });

describe("§8 response code 1", () => {
  it("shows errMsg, or data without one", () => {
    expect(refused({ errMsg: "格口不存在", data: "其他" }).message).toBe("格口不存在");
    expect(refused({ errMsg: "", data: "其他" }).message).toBe("其他");
    expect(refused({}).message).not.toBe("");
    expect(refused({ errMsg: "格口不存在" }).isSilent).toBe(false);
  });

  it("is silent when the cabinet app config is missing and a remote pull should be tried", () => {
    expect(refused({ errMsg: "柜机应用配置不存在，请尝试远程拉取" }).isSilent).toBe(true);
    expect(refused({ errMsg: "支付配置不存在" }).isSilent).toBe(false);
  });
});

describe("§8 HTTP statuses", () => {
  it("401 and 499 sign out, with the server's text if there is any", () => {
    expect(http(401)).toMatchObject({ message: "登录已过期，请重新登录", effect: "sign-out" });
    expect(http(401, { errMsg: "登录状态已失效" }).message).toBe("登录状态已失效");
    expect(http(499)).toMatchObject({
      message: "租户信息已过期，请联系客服",
      effect: "sign-out",
    });
    expect(http(499, { errMsg: "租户已到期" }).message).toBe("租户已到期");
  });

  it("403 shows data, or a message that permission is missing", () => {
    expect(http(403, { data: "不可见" }).message).toBe("不可见");
    expect(http(403, { data: null, errMsg: "租户不一致" }).message).toBe("租户不一致");
    expect(http(403)).toMatchObject({ message: "没有权限访问该资源", effect: "none" });
  });

  it("403 for a due password change leads to the password change", () => {
    const errMsg = "请先修改密码";
    expect(http(403, { errMsg, errCode: "PASSWORD_CHANGE_REQUIRED" }).effect).toBe(
      "change-password",
    );
    expect(http(403, { errMsg, errCode: "FORBIDDEN" }).effect).toBe("none");
  });

  it.each([
    [404, "请求不存在：404"],
    [502, "网络不佳，请稍后重试"],
    [503, "服务维护中，请稍后重试"],
    [504, "系统超时，请稍后重试"],
  ])("%i shows %s", (status, message) => {
    expect(http(status, { errMsg: "内部细节" })).toEqual({
      message,
      isSilent: false,
      effect: "none",
    });
  });

  it("500 shows data, else errMsg, else 系统异常：500, with the request id", () => {
    expect(http(500, { data: "数据库忙", errMsg: "其他" }).message).toBe("数据库忙");
    expect(http(500, { errMsg: "请稍后" }).message).toBe("请稍后");
    expect(http(500).message).toBe("系统异常：500");
    expect(http(500, { requestId: "r-1" }).message).toBe("系统异常：500（编号 r-1）");
    expect(http(500, { errMsg: "出错了，编号 r-1", requestId: "r-1" }).message).toBe(
      "出错了，编号 r-1",
    );
  });

  it("other statuses show the error's own message", () => {
    expect(http(429, { errMsg: "操作太频繁" }).message).toBe("操作太频繁");
    expect(http(418, { errorMessage: "I'm a teapot" }).message).toBe("I'm a teapot");
    expect(http(418).message).toContain("418");
  });
});

describe("requests without an answer", () => {
  it("a write that cannot have left says that it was not sent", () => {
    const write = { kind: "offline", status: 0, isWrite: true } as const;
    expect(describeFailure(write).message).toBe("网络已断开，指令未发送");
    expect(describeFailure({ ...write, isWrite: false }).message).toBe("网络已断开，请恢复后重试");
  });

  it.each(["timeout", "network"] as const)(
    "%s: a write never claims that it was not sent",
    (kind) => {
      const { message } = describeFailure({ kind, status: 0, isWrite: true });
      expect(message).toBe("没有收到响应，结果未知：请先刷新，核对是否已生效，再决定是否重做");
    },
  );
});

describe("§9 request timeout and network errors", () => {
  it("show the cause, and nothing when the page aborted the request", () => {
    expect(describeFailure({ kind: "timeout", status: 0 }).message).toBe("请求超时，请稍后重试");
    expect(describeFailure({ kind: "network", status: 0 }).message).toBe("网络不佳，请稍后重试");
    expect(describeFailure({ kind: "aborted", status: 0 }).isSilent).toBe(true);
  });
});
