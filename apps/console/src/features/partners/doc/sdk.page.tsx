// /doc/sdk: integration guide for cabinets and third-party systems.
import type { DocChapter } from "./doc.rules.ts";
import { DocPage } from "./doc-page.tsx";

const chapters = Object.values(
  import.meta.glob<DocChapter>("../../../../../../docs/sdk/*.md", {
    eager: true,
    import: "default",
  }),
);

export default function SdkPage() {
  return (
    <DocPage
      title="接入文档"
      lead="写给把柜机固件或业务系统接到本平台的人：柜机协议、开放接口、回调，每一步都有可以运行的示例和测试向量。"
      chapters={chapters}
      language="zh"
    />
  );
}
