// Tone of a state at a glance, independent of the state's name.

export type Tone = "good" | "bad" | "doubtful" | "waiting" | "quiet";
