// Calls invalidated after a question or a category changed.
import { faqContract } from "@cabinet/contract/messaging/faq/faq.contract.ts";

export const faqChanged = {
  invalidates: [
    faqContract.list,
    faqContract.get,
    faqContract.categories,
    faqContract.ofPlatform,
    faqContract.help,
  ],
  isQuiet: true,
};
