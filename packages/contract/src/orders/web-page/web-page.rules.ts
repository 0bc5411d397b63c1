// Pure rules of the web page's QR codes.

/** Most cabinets of one sheet of stickers; more are printed by store. */
export const MAX_STICKERS = 500;
