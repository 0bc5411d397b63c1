// What neighbours may use of files.
export { addDeviceFileRoute, type FileGrant } from "./device-file.ts";
export { fileJobs } from "./file.jobs.ts";
export { insertFile, type NewFile, releaseFile, useFile } from "./file.sql.ts";
