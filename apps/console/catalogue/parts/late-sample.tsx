// Part in a file of its own, with its own style sheet, which loads when it is first shown.
import "./late-sample.css";

export function LateSample() {
  return <p className="late-sample">迟到的内容</p>;
}
