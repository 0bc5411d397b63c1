// Text of the operator as HTML, which the server has sanitised.

export function RichText({ html }: { html: string }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: the server sanitises it by an allow-list (decision 0042).
  return <div className="rich" lang="zh-CN" dangerouslySetInnerHTML={{ __html: html }} />;
}
