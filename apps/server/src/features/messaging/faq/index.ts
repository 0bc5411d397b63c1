// Public interface of the FAQ feature for other features.
export { faqRoutes } from "./faq.routes.ts";
export { faqImages, findForPeople } from "./faq-reader.sql.ts";
