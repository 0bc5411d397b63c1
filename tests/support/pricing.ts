// A pricing rule and rates for it, as calls take them.
const { overdueAfterMinutes, ...fees } = {
  freeMinutes: 30,
  perUseFen: 100,
  stepMinutes: 60,
  stepFen: 100,
  capFen: null,
  overdueAfterMinutes: 1_440,
};

export const sampleRule = { ...fees, overdueAfterMinutes };
export const sampleRates = [
  { ...fees, size: "L", hours: null },
  { ...fees, size: null, hours: { from: "20:00", to: "08:00" }, stepFen: 50 },
];
