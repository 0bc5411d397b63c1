// File downloads of cabinets over HTTP: each proves its secret for one file and gets only files granted to it.
import { DEVICE_FILE_PATH } from "@cabinet/contract/link/device/device.contract.ts";
import { parseFileAuthorization, verifyFileProof } from "@cabinet/link";
import type { FastifyInstance, FastifyReply } from "fastify";
import { shareOfStranger } from "../../../platform/db/admission.rules.ts";
import type { Database, Db } from "../../../platform/db/db.ts";
import { refuse } from "../../../platform/errors.ts";
import type { ByteRange, FileStore } from "../../../platform/files/file-store.ts";
import { networkOf } from "../../../platform/http/network.rules.ts";
import {
  type CabinetKey,
  ConnectRate,
  isKeyInForce,
  Keyring,
  useChallenge,
} from "../../link/device/index.ts";
import { type FileRow, findFile } from "./file.sql.ts";
import { parseRange } from "./range.rules.ts";

/** Whether a cabinet may download a file; runs in the platform's scope, so the query must name tenant and cabinet. */
export type FileGrant = (db: Db, cabinet: CabinetKey, fileId: string) => Promise<boolean>;

interface DeviceFileParts {
  database: Database;
  files: FileStore;
  grants: readonly FileGrant[];
}

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

export function addDeviceFileRoute(app: FastifyInstance, parts: DeviceFileParts): void {
  const { database, files, grants } = parts;
  const keyring = new Keyring(database);
  const failures = new ConnectRate();

  /** Returns the cabinet that proved its secret for this file; every other request gets the same refusal. */
  async function authenticate(header: string, address: string, fileId: string) {
    const proof = parseFileAuthorization(header);
    const stranger = `${networkOf(address)} ${proof?.cabinetId ?? ""}`;
    const unproven = database.for({ share: shareOfStranger(address) });
    const now = performance.now();
    if (failures.isBanned(stranger, now)) refuse("RATE_LIMITED", { seconds: 300 });
    let identity = proof && (await keyring.find(proof.cabinetId, unproven));
    if (proof && !identity?.keys.has(proof.kid))
      identity = await keyring.findAgain(proof.cabinetId, unproven);
    const keys = proof && identity?.keys.get(proof.kid);
    if (proof && identity && keys && verifyFileProof(fileId, proof, keys)) {
      const { kid, nonce } = proof;
      const isGood = await database.transaction(
        "platform",
        async (db) => (await useChallenge(db, nonce)) && (await isKeyInForce(db, identity, kid)),
      );
      if (isGood) return identity;
      keyring.forget(proof.cabinetId);
    }
    failures.count(stranger, now);
    return refuse("CABINET_UNPROVEN");
  }

  app.get<{ Params: { id: string } }>(DEVICE_FILE_PATH, async (request, reply) => {
    const { id } = request.params;
    const { authorization = "", range } = request.headers;
    const cabinet = await authenticate(authorization, request.ip, id);
    const file = await database.read("platform", async (db) => {
      if (!UUID.test(id)) return null;
      const granted = await Promise.all(grants.map((grant) => grant(db, cabinet, id)));
      return granted.includes(true) ? findFile(db, id) : null;
    });
    if (!file) return refuse("FILE_NOT_GRANTED");
    return send(reply, file, range, files);
  });
}

async function send(
  reply: FastifyReply,
  file: FileRow,
  header: string | undefined,
  files: FileStore,
) {
  const range: ByteRange | "unsatisfiable" | null = parseRange(header, file.sizeBytes);
  reply.header("accept-ranges", "bytes").header("cache-control", "no-store");
  if (range === "unsatisfiable") {
    return reply.code(416).header("content-range", `bytes */${file.sizeBytes}`).send();
  }
  const content = await files.read(file.key, range ?? undefined);
  const length = range ? range.end - range.start + 1 : file.sizeBytes;
  reply.type(file.mediaType).header("content-length", length);
  if (range) {
    reply.code(206).header("content-range", `bytes ${range.start}-${range.end}/${file.sizeBytes}`);
  }
  return reply.send(content);
}
