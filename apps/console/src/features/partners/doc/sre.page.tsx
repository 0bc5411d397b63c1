// /doc/sre: operations guide, for the operators of the platform, in Chinese only.
import type { DocChapter } from "./doc.rules.ts";
import { DocPage } from "./doc-page.tsx";

const chapters = Object.values(
  import.meta.glob<DocChapter>("../../../../../../docs/sre/*.md", {
    eager: true,
    import: "default",
  }),
);

export default function SrePage() {
  return (
    <DocPage
      title="运维文档"
      lead="写给安装、运行和看护本系统的人：从一台机器到多台机器，从每天的备份到半夜的告警。"
      chapters={chapters}
      language="zh"
    />
  );
}
