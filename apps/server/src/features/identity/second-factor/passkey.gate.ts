// Passkeys (WebAuthn): options for the browser and verification of its answers.
import { refuse } from "../../../platform/errors.ts";
import type { PasskeyRow } from "./second-factor.sql.ts";

/** Answer of the browser; what it must contain is verified here. */
export type Answer = Record<string, unknown>;

/** Loaded for the first passkey: at the start of each process it would take a tenth of it. */
const loadLibrary = () => import("@simplewebauthn/server");

type Library = Awaited<ReturnType<typeof loadLibrary>>;
type Registration = Parameters<Library["verifyRegistrationResponse"]>[0]["response"];
type Authentication = Parameters<Library["verifyAuthenticationResponse"]>[0]["response"];

const NAME = "智能存取系统";

const credentialOf = ({ credentialId, transports }: PasskeyRow) => ({
  id: credentialId,
  transports,
});

export async function creationOptions(
  { host, username, operatorId }: { host: string; username: string; operatorId: number },
  known: readonly PasskeyRow[],
) {
  const { generateRegistrationOptions } = await loadLibrary();
  return generateRegistrationOptions({
    rpName: NAME,
    rpID: host,
    userName: username,
    userID: new TextEncoder().encode(String(operatorId)),
    excludeCredentials: known.map(credentialOf),
    authenticatorSelection: { residentKey: "preferred", userVerification: "preferred" },
  });
}

export async function requestOptions(host: string, known: readonly PasskeyRow[]) {
  const { generateAuthenticationOptions } = await loadLibrary();
  return generateAuthenticationOptions({
    rpID: host,
    allowCredentials: known.map(credentialOf),
    userVerification: "preferred",
  });
}

interface Asked {
  host: string;
  challenge: string;
}

/** The new credential; refuses an answer that does not belong to the challenge or host. */
export async function verifyCreation(answer: Answer, { host, challenge }: Asked) {
  const { verifyRegistrationResponse } = await loadLibrary();
  const { registrationInfo } = await verified(() =>
    verifyRegistrationResponse({
      response: answer as unknown as Registration,
      expectedChallenge: challenge,
      expectedOrigin: originOf(answer, host),
      expectedRPID: host,
      requireUserVerification: false,
    }),
  );
  return registrationInfo?.credential ?? refuse("PASSKEY_REFUSED");
}

/** The passkey's new counter; refuses an answer that it did not sign for this challenge and host. */
export async function verifyUse(
  answer: Answer,
  { host, challenge }: Asked,
  passkey: PasskeyRow,
): Promise<number> {
  const { verifyAuthenticationResponse } = await loadLibrary();
  const { authenticationInfo } = await verified(() =>
    verifyAuthenticationResponse({
      response: answer as unknown as Authentication,
      expectedChallenge: challenge,
      expectedOrigin: originOf(answer, host),
      expectedRPID: host,
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(passkey.publicKey),
        counter: passkey.counter,
      },
      requireUserVerification: false,
    }),
  );
  return authenticationInfo.newCounter;
}

/** The library throws plain errors at answers that do not fit. */
async function verified<Outcome extends { verified: boolean }>(
  verify: () => Promise<Outcome>,
): Promise<Outcome> {
  const outcome = await verify().catch(() => null);
  return outcome?.verified ? outcome : refuse("PASSKEY_REFUSED");
}

/**
 * The page's origin that the browser signed. Its host must be the one that was asked for: the console may run on any
 * port and behind any proxy, and the authenticator signs the host, too.
 */
function originOf(answer: Answer, host: string): string {
  try {
    const { clientDataJSON } = answer.response as { clientDataJSON: string };
    const client = JSON.parse(Buffer.from(clientDataJSON, "base64url").toString()) as {
      origin: string;
    };
    const { hostname, protocol, origin } = new URL(client.origin);
    if (hostname === host && (protocol === "https:" || host === "localhost")) return origin;
  } catch {
    // falls through to the refusal
  }
  return refuse("PASSKEY_REFUSED");
}
