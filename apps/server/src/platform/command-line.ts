// Command lines of administration: lines to the terminal, paths and names as the operator types them, failures.
import path from "node:path";
import { SettingsError } from "./env.ts";

export const say = (line: string) => process.stdout.write(`${line}\n`);
export const complain = (line: string) => process.stderr.write(`${line}\n`);
export const terminalLog = { info: say, warn: complain, error: complain };

/** Command as the operator types it: in a release, or in a checkout. */
export const commandOf = (name: string) =>
  process.env.npm_lifecycle_event ? `npm run ${name} --` : `./storage ${name}`;

/** npm changes into the repository: paths are relative to the folder where the command was typed. */
export const placeOf = (given: string) =>
  path.resolve(process.env.INIT_CWD ?? process.cwd(), given);

/** Ignores EPIPE on stdout and stderr (closed terminal, `| head`): work must not end halfway because nobody reads. */
export function ignoreClosedOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});
}

/** Runs the command named by the first argument. A wrong command line prints `help` and ends with code 1. */
export async function runCommand(
  commands: Readonly<Record<string, (args: string[]) => Promise<void>>>,
  help: string,
): Promise<void> {
  ignoreClosedOutput();
  const [name = "", ...args] = process.argv.slice(2);
  try {
    const run = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (!run) throw new SettingsError(help);
    await run(args);
  } catch (error) {
    const isUsage = String((error as NodeJS.ErrnoException).code).startsWith("ERR_PARSE_ARGS");
    if (isUsage) complain(`${(error as Error).message}\n\n${help}`);
    else complain(error instanceof SettingsError ? error.message : String((error as Error).stack));
    process.exitCode = 1;
  }
}
