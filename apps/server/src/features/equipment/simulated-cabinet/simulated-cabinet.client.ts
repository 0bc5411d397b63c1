// Calls the panel of a simulator that runs on this machine, over its Unix socket.
import { request } from "node:http";
import type { SimulatedCabinetState } from "@cabinet/contract/equipment/simulated-cabinet/simulated-cabinet.contract.ts";
import { refuse } from "../../../platform/errors.ts";

/** The simulator answers from memory; a longer silence means that it hangs. */
const ANSWER_WITHIN_MS = 1_500;

/** State of the cabinet; null when no simulator runs here or it has no such cabinet. */
export async function readState(
  socket: string,
  path: string,
): Promise<SimulatedCabinetState | null> {
  const answer = await callPanel(socket, "GET", path);
  return answer?.status === 200 ? JSON.parse(answer.text) : null;
}

/** Refuses when the simulator is gone, or when the change is physically impossible. */
export async function changeState(socket: string, path: string, change: object): Promise<void> {
  const answer = await callPanel(socket, "PUT", path, JSON.stringify(change));
  if (answer?.status === 409) refuse("DOOR_IS_SHUT");
  if (answer?.status !== 204) refuse("SIMULATOR_GONE");
}

interface Answer {
  status: number;
  text: string;
}

function callPanel(
  socketPath: string,
  method: "GET" | "PUT",
  path: string,
  body?: string,
): Promise<Answer | null> {
  return new Promise((resolve) => {
    const call = request({ socketPath, method, path, timeout: ANSWER_WITHIN_MS }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk) => {
        text += chunk;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
      response.on("error", () => resolve(null));
    });
    call.on("timeout", () => call.destroy());
    // No socket file, or nobody listens on it: no simulator runs here.
    call.on("error", () => resolve(null));
    call.end(body);
  });
}
