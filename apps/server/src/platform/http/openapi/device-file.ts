// The download of a file by a cabinet in the API document; it answers bytes and has no call in the contract.
import type { ErrorCode } from "@cabinet/contract/kit/errors.ts";
import { DEVICE_FILE_PATH } from "@cabinet/contract/link/device/device.contract.ts";
import { REQUEST_ID, type Responses } from "./responses.ts";

const refusals: [number, ErrorCode[]][] = [
  [400, ["BAD_REQUEST"]],
  [401, ["CABINET_UNPROVEN"]],
  [404, ["FILE_NOT_GRANTED"]],
  [429, ["RATE_LIMITED"]],
  [500, ["INTERNAL"]],
  [503, ["OVERLOADED"]],
];

export function deviceFileOperation(responses: Responses) {
  const bytes = { "application/octet-stream": { schema: { type: "string", format: "binary" } } };
  return {
    [DEVICE_FILE_PATH.replace(":id", "{id}")]: {
      get: {
        operationId: "device.file",
        tags: ["device"],
        summary: "柜机下载下发给它的文件：广告或固件镜像",
        description: "柜机用自己的密钥证明身份。断了的下载用 Range 继续。",
        ...{ "x-access": "public", "x-caller": "device", security: [{ device: [] }] },
        parameters: [
          {
            ...{ name: "id", in: "path", required: true, example: REQUEST_ID },
            schema: { type: "string", format: "uuid" },
          },
          {
            ...{ name: "Range", in: "header", required: false, example: "bytes=1024-" },
            description: "断了的下载从断处继续",
            schema: { type: "string", pattern: "^bytes=\\d+-\\d*$" },
          },
        ],
        responses: {
          200: { description: "全部字节", content: bytes },
          206: { description: "其中一段", content: bytes },
          416: { description: "没有这一段" },
          ...Object.fromEntries(
            refusals.map(([status, codes]) => [status, responses.refer(status, codes)]),
          ),
        },
      },
    },
  };
}
