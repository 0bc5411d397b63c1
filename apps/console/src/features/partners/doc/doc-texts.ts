// Texts of the frame, the search and the outline around a document, in its language.
import type { DocLanguage } from "../../../kit/doc-language.ts";

const zh = {
  skip: "跳到正文",
  documents: "文档",
  manual: "使用手册",
  operations: "运维文档",
  integration: "接入文档",
  reference: "接口参考",
  light: "浅色",
  dark: "深色",
  print: "打印",
  console: "控制台",
  signIn: "登录",
  outline: "目录",
  search: "在本文档中查找",
  nothing: "没有找到，请换一个词",
  hits: (count: number) => `${count} 处`,
  copy: "复制",
  copied: "已复制",
  notCopied: "未能复制",
};

export const docTexts: Record<DocLanguage, typeof zh> = {
  zh,
  en: {
    skip: "Skip to the text",
    documents: "Documents",
    manual: "Console (zh)",
    operations: "Operations (zh)",
    integration: "Integration",
    reference: "API reference",
    light: "Light",
    dark: "Dark",
    print: "Print",
    console: "Console",
    signIn: "Sign in",
    outline: "Contents",
    search: "Search this document",
    nothing: "Nothing found: try another word",
    hits: (count) => (count === 1 ? "1 match" : `${count} matches`),
    copy: "Copy",
    copied: "Copied",
    notCopied: "Not copied",
  },
};
