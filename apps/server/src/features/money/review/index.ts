// Public interface of four eyes for other features.

export { reviewRoutes, withReview } from "./review.routes.ts";
export { findOwnResults, waitingStateSql } from "./review.sql.ts";
