// Uploads that run in a form: a save meanwhile would be made without their files.
import { createContext } from "react";

/** Counts the uploads of the form around; a form refuses to save while there are any. */
export const RunningUploads = createContext({ count: 0 });

export const UPLOAD_RUNS = "还有文件在上传：请等上传完成，或取消上传，再保存";
