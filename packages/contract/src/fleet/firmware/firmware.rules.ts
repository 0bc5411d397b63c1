// Pure rules of firmware: states and version format.

export const FIRMWARE_STATES = ["DRAFT", "RELEASED", "WITHDRAWN"] as const;
export type FirmwareState = (typeof FIRMWARE_STATES)[number];

export const firmwareStateText: Record<FirmwareState, string> = {
  DRAFT: "草稿",
  RELEASED: "已发布",
  WITHDRAWN: "已撤回",
};

/** `MAJOR.MINOR.PATCH`, with `-suffix` for a preview; the form that the cabinet link compares. */
export const VERSION_PATTERN = "^\\d{1,5}\\.\\d{1,5}\\.\\d{1,5}(-[0-9A-Za-z.]{1,20})?$";
