// Runs Debian's mosquitto on loopback for the bench, with the ACL of deploy/mosquitto.
import path from "node:path";
import { freePort } from "../e2e/support/free-port.ts";
import {
  deployed,
  hasMosquitto,
  type Mosquitto,
  startMosquitto as start,
} from "../tests/support/mosquitto.ts";

export interface BenchMosquitto extends Mosquitto {
  /** URL for the gateway. */
  gatewayUrl: string;
  /** URL for cabinets. */
  url: string;
}

/** Throws with installation instructions if mosquitto is missing. */
export async function startMosquitto(folder: string): Promise<BenchMosquitto> {
  if (!hasMosquitto) {
    throw new Error("没有找到 mosquitto：请先运行 apt-get install mosquitto，再测 scale");
  }
  const port = await freePort();
  // Production authenticates clients by certificate; on loopback the user name is trusted.
  const lines = [
    `listener ${port} 127.0.0.1`,
    "allow_anonymous true",
    `acl_file ${path.join(deployed, "cabinets.acl")}`,
    "persistence false",
    "retain_available false",
    "max_connections -1",
    "max_packet_size 10240",
    "max_queued_messages 0",
    "set_tcp_nodelay true",
  ];
  const mosquitto = await start(folder, { config: lines.join("\n"), port });
  return {
    ...mosquitto,
    url: `mqtt://127.0.0.1:${port}`,
    gatewayUrl: `mqtt://gateway:gateway@127.0.0.1:${port}`,
  };
}
