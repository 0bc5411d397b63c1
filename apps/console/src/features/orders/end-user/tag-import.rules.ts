// Columns of a tag in a file, and the checks of its lines.
import { tagColorProblem } from "@cabinet/contract/orders/end-user/end-user.rules.ts";
import { TagLine } from "@cabinet/contract/orders/end-user/tag.contract.ts";
import { columnsOfSchema, judgeBy } from "../../../ui/import/import.rules.ts";

export type TagColumn = keyof TagLine;

export const tagImportColumns = columnsOfSchema<TagColumn>(TagLine, {
  name: { aliases: ["标签", "名称", "标签名"] },
  color: { aliases: ["标签颜色"] },
  remark: { aliases: ["备注"], width: 36 },
});

/** Checks by the server's rules, except for names that only the server knows. */
export const judgeTags = judgeBy<typeof TagLine, TagColumn>({
  schema: TagLine,
  problem: tagColorProblem,
  key: "name",
});
