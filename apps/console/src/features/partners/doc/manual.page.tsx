// /doc/manual: the console page by page, for everyone who signs in, in Chinese only.
import type { DocChapter } from "./doc.rules.ts";
import { DocPage } from "./doc-page.tsx";

const chapters = Object.values(
  import.meta.glob<DocChapter>("../../../../../../docs/manual/*.md", {
    eager: true,
    import: "default",
  }),
);

export default function ManualPage() {
  return (
    <DocPage
      title="使用手册"
      lead="写给使用控制台的人：每个页面的用途、状态的含义，以及出现问题时怎么处理。"
      chapters={chapters}
      language="zh"
    />
  );
}
