// Public API of the rich-text feature for other features.
export { richTextRoutes } from "./rich-text.routes.ts";
export {
  addImages,
  dropImages,
  replaceImages,
  takeRichText,
  uploadImage,
} from "./rich-text.service.ts";
export type { ImageUse } from "./rich-text.sql.ts";
