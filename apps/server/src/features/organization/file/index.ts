// Public interface of the file feature for other features.
export { addDeviceFileRoute, type FileGrant } from "./device-file.gate.ts";
export { fileJobs } from "./file.jobs.ts";
export {
  insertFile,
  isUploadedBySql,
  type NewFile,
  releaseFile,
  type Uploader,
  useFile,
} from "./file.sql.ts";
