// What both sides say of frequently asked questions (常见问题): whom they are for, and how a tenant's stand beside the platform's.

export const FAQ_AUDIENCES = ["END_USER", "OPERATOR"] as const;
export type FaqAudience = (typeof FAQ_AUDIENCES)[number];

/** Those for accounts are the platform's alone. */
export const faqAudienceText: Record<FaqAudience, string> = {
  END_USER: "小程序用户",
  OPERATOR: "后台账号",
};

export interface FaqGroup<Question> {
  category: string;
  questions: Question[];
}

/** In the order given; categories of one name become one, where it came first. */
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
