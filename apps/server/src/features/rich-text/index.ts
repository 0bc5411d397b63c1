// What neighbours may use of rich texts.
export { richTextRoutes } from "./rich-text.routes.ts";
export {
  addImages,
  dropImages,
  replaceImages,
  takeRichText,
  uploadImage,
} from "./rich-text.service.ts";
export type { ImageUse } from "./rich-text.sql.ts";
