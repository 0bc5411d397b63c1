// Writes commands into a journal as fast as it can and says each one that is safe; to be killed.
import { fileJournal } from "../src/journal.ts";

const [folder = "", from = "1"] = process.argv.slice(2);
const journal = fileJournal(folder, "TEST000001");
await journal.load();
for (let seq = Number(from); ; seq++) {
  const cmdId = `cmd-${String(seq).padStart(8, "0")}`;
  await journal.append({ t: "command", entry: { cmdId, seq, stage: "STARTED" } });
  process.stdout.write(`${seq}\n`);
}
