// The same, loaded ahead.

export function AheadSample() {
  return <p className="ahead-sample">提前加载的内容</p>;
}
