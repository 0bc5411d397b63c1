// Keeps an error of a part to this part: the rest of the page stays, with what is typed in it.
import { Component, type ReactNode } from "react";
import { FailureState } from "./states.tsx";

export class Boundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <FailureState
        title="这里出错了"
        hint="其他内容不受影响。请重试，如仍出现请联系客服"
        onRetry={() => this.setState({ hasFailed: false })}
      />
    );
  }
}
