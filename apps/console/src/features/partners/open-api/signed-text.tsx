// String to sign, line by line, each with its label.
import { Button } from "../../../ui/display/button.tsx";
import { copyWithToast } from "../../../ui/display/copy-text.ts";
import "./open-api.css";

const names = [
  "算法",
  "方法",
  "Host",
  "路径和查询串",
  "Content-Type",
  "ts",
  "nonce",
  "Idempotency-Key",
  "正文 SHA-256",
];

export function SignedText({ text }: { text: string }) {
  const lines = text.split("\n").slice(0, names.length);
  return (
    <>
      <ol className="open-signed" aria-label="待签字符串">
        {lines.map((line, at) => (
          <li key={names[at]}>
            <span>{names[at]}</span>
            <code>{line || "（空行）"}</code>
          </li>
        ))}
      </ol>
      <p>
        <Button size="small" onClick={() => void copyWithToast(text)}>
          复制（含每行的换行）
        </Button>
      </p>
    </>
  );
}
