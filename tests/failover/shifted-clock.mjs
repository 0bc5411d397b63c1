// Preloaded into a server under test: SIGUSR2 moves its wall clock an hour ahead, the next one back.
const Real = Date;
let offsetMs = 0;
process.on("SIGUSR2", () => {
  offsetMs = offsetMs === 0 ? 3_600_000 : 0;
});
globalThis.Date = class extends Real {
  constructor(...args) {
    super(...(args.length === 0 ? [Real.now() + offsetMs] : args));
  }
  static now() {
    return Real.now() + offsetMs;
  }
};
