// What the build makes of a document's Markdown.
declare module "*.md" {
  const chapter: import("./doc.rules.ts").DocChapter;
  export default chapter;
}
