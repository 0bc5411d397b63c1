// Rules of FAQs (常见问题) shared by server and console: audiences and grouping.

export const FAQ_AUDIENCES = ["END_USER", "OPERATOR"] as const;
export type FaqAudience = (typeof FAQ_AUDIENCES)[number];

/** OPERATOR entries come from the platform only. */
export const faqAudienceText: Record<FaqAudience, string> = {
  END_USER: "小程序用户",
  OPERATOR: "后台账号",
};

export interface FaqGroup<Question> {
  category: string;
  questions: Question[];
}

/** Groups in the given order; categories of equal name are merged at the first one. */
export function groupByCategory<Question extends { category: string }>(
  questions: readonly Question[],
): FaqGroup<Question>[] {
  const groups = new Map<string, Question[]>();
  for (const question of questions) {
    const group = groups.get(question.category) ?? [];
    group.push(question);
    groups.set(question.category, group);
  }
  return [...groups].map(([category, found]) => ({ category, questions: found }));
}
