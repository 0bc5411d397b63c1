// Public parts of the second-factor feature.
export { exemptionQuestion } from "./exemption-question.tsx";
export { SecondFactorCard } from "./second-factor-card.tsx";
export { SetUpStep } from "./set-up-step.tsx";
