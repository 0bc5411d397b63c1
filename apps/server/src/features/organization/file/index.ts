// Public interface of the file feature for other features.
export { addDeviceFileRoute, type FileGrant } from "./device-file.gate.ts";
export { fileJobs } from "./file.jobs.ts";
export { insertFile, type NewFile, releaseFile, useFile } from "./file.sql.ts";
