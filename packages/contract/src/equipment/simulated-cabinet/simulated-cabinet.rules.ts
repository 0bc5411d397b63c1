// The socket on which a simulator serves the state of its cabinets.

/** Name of the Unix socket in the simulator's journal folder. */
export const PANEL_SOCKET = "panel.sock";

/** Path of a cabinet, or of one of its compartments, on the socket. */
export function panelPath(sn: string, no?: number): string {
  return no === undefined ? `/${sn}` : `/${sn}/${no}`;
}
