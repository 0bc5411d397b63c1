// Type of a Markdown import: the chapter that the build generates.
declare module "*.md" {
  const chapter: import("./doc.rules.ts").DocChapter;
  export default chapter;
}
