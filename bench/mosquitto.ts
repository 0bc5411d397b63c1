// Runs Debian's mosquitto on loopback for the bench, with the configuration of deploy/mosquitto.
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { freePort } from "../e2e/support/free-port.ts";
import {
  configOf,
  deployed,
  hasMosquitto,
  type Mosquitto,
  startMosquitto as start,
  writePasswords,
} from "../tests/support/mosquitto.ts";

const PASSWORD = "gateway";

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
  await mkdir(folder, { recursive: true });
  const passwords = path.join(folder, "gateways.passwd");
  writePasswords(passwords, { gateway: PASSWORD });
  const [port, gatewayPort] = [await freePort(), await freePort()];
  const config = configOf("mosquitto.conf", {
    "listener 8883": `listener ${port} 127.0.0.1`,
    "listener 1884 10.0.0.5": `listener ${gatewayPort} 127.0.0.1`,
    "/etc/mosquitto/gateways.passwd": passwords,
    "/etc/mosquitto/gateways.acl": path.join(deployed, "gateways.acl"),
    "/var/lib/mosquitto/": `${folder}/`,
  });
  const mosquitto = await start(folder, { config, port: gatewayPort });
  return {
    ...mosquitto,
    url: `mqtt://127.0.0.1:${port}`,
    gatewayUrl: `mqtt://gateway:${PASSWORD}@127.0.0.1:${gatewayPort}`,
  };
}
