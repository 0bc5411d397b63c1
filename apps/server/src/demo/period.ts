// How far back the demo's records reach.

/** Orders, and all that follows from them. */
export const HISTORY_DAYS = 91;
/** Messages to people, calls of third parties. */
export const MESSAGE_DAYS = 60;
