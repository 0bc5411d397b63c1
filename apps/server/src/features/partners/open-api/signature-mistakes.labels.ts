// Common signing mistakes and malformed Authorization headers: hints of the signature debugger.
import type { SignedRequest } from "@cabinet/open-api-client";

export interface Mistake {
  /** The mistake and its correction. */
  hint: string;
  /**
   * The request as signed by this mistake; a function where the string to sign itself is built
   * differently.
   */
  as: Partial<SignedRequest> | ((text: string) => string);
}

const decoded = (target: string) => {
  try {
    return decodeURI(target);
  } catch {
    return target;
  }
};

/** Candidate mistakes for this request. */
export function commonMistakes(request: SignedRequest): Mistake[] {
  const { host, target, contentType, idempotencyKey } = request;
  const body =
    typeof request.body === "string" ? request.body : Buffer.from(request.body).toString();
  const [path = ""] = target.split("?");
  const mistakes: Mistake[] = [
    {
      hint: "少了最后一行的换行：每一行都以换行结尾，最后一行也是",
      as: (text) => text.slice(0, -1),
    },
    {
      hint: "用了回车换行：每一行只用一个换行符（\\n）",
      as: (text) => text.replaceAll("\n", "\r\n"),
    },
    { hint: "没有签正文：应签 SHA-256(原始正文) 的十六进制", as: { body: "" } },
    { hint: "正文后面多了换行或空格：签的和发的必须逐字节相同", as: { body: body.trimEnd() } },
    { hint: "签了正文加一个换行：签的和发的必须逐字节相同", as: { body: `${body}\n` } },
    { hint: "正文摘要用了大写十六进制：应为小写", as: (text) => upperHash(text) },
    { hint: "没有签查询串：应签发送的完整路径和查询串", as: { target: path } },
    { hint: "签了解码后的路径：应原样签发送的路径和查询串", as: { target: decoded(target) } },
    { hint: "Host 少了端口：应与发送的 Host 完全一致", as: { host: host.replace(/:\d+$/, "") } },
    { hint: "没有签 Host", as: { host: "" } },
    { hint: "没有签 Content-Type", as: { contentType: "" } },
    {
      hint: "签的 Content-Type 没有字符集，发送时被加上了：两者应一致",
      as: { contentType: contentType.split(";")[0] ?? "" },
    },
    {
      hint: "签的 Content-Type 带字符集，发送的没有：两者应一致",
      as: { contentType: `${contentType}; charset=utf-8` },
    },
    { hint: "没有签 Idempotency-Key", as: { idempotencyKey: "" } },
    { hint: "Host 保留了大写：应转为小写", as: (text) => text.replace(host.toLowerCase(), host) },
    {
      hint: "方法用了小写：应为大写",
      as: (text) =>
        text.replace(/^(.*\n)(\w+)/, (_, first, method) => first + method.toLowerCase()),
    },
  ];
  // Excludes mistakes that would not change this request.
  return mistakes.filter(({ as }) => {
    if (typeof as === "function") return true;
    const [[name, value] = ["", ""]] = Object.entries(as);
    const now = { ...request, body }[name as keyof SignedRequest];
    return value !== now && !(name === "idempotencyKey" && idempotencyKey === "");
  });
}

function upperHash(text: string): string {
  const lines = text.split("\n");
  return lines.map((line, at) => (at === lines.length - 2 ? line.toUpperCase() : line)).join("\n");
}

/** Problem of an `Authorization` header as text; null if it is well-formed. */
export function headerProblem(header: string): string | null {
  if (header.trim() === "") return "没有 Authorization 请求头";
  if (!header.startsWith("CAB1-HMAC-SHA256 ")) return "应以“CAB1-HMAC-SHA256 ”开头（后面一个空格）";
  const parts = header.slice("CAB1-HMAC-SHA256 ".length).split(",");
  const names = parts.map((part) => part.split("=")[0]);
  if (names.join(",") !== "app,kid,ts,nonce,sig") {
    return `应依次为 app,kid,ts,nonce,sig，逗号后没有空格；现在是 ${names.join(",")}`;
  }
  const values = Object.fromEntries(
    parts.map((part) => [part.split("=")[0], part.replace(/^\w+=/, "")]),
  );
  const { app = "", kid = "", ts = "", nonce = "", sig = "" } = values;
  if (!/^app_[0-9a-z]{16}$/.test(app)) return "app 应为应用编号，例如 app_7k2m9q4x8w3v5t6r";
  if (!/^[0-9a-z-]{4,32}$/.test(kid)) return "kid 应为密钥编号，例如 k261122-x7f3q";
  if (!/^[1-9]\d{9}$/.test(ts)) return "ts 应为 10 位的 unix 秒，不是毫秒";
  if (!/^[A-Za-z0-9_-]{22,64}$/.test(nonce))
    return "nonce 应为 22 至 64 个 base64url 字符（至少 128 位随机）";
  if (/^[0-9a-f]{64}$/i.test(sig)) return "sig 是十六进制，应为标准 base64（44 个字符）";
  if (/[-_]/.test(sig)) return "sig 是 base64url，应为标准 base64（含 + 和 /）";
  if (!/^[A-Za-z0-9+/]{43}=$/.test(sig))
    return "sig 应为 32 字节的标准 base64，44 个字符，以 = 结尾";
  return null;
}
