// How a state feels at a glance, whatever it is called.

export type Tone = "good" | "bad" | "doubtful" | "waiting" | "quiet";
