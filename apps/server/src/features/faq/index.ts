// What neighbours may use of frequently asked questions.
export { faqRoutes } from "./faq.routes.ts";
export { faqImages, findForPeople } from "./faq-reader.sql.ts";
