// Public parts of the second-factor feature.
export { SecondFactorCard } from "./second-factor-card.tsx";
export { SetUpStep } from "./set-up-step.tsx";
