// Configuration of the console (specification §2, §9).

export const settings = {
  title: "智能存取系统",
  fixedHeader: true as boolean,
  sidebarLogo: true as boolean,
};

export const CHUNK_LOAD_TIMEOUT_MS = 120_000;
