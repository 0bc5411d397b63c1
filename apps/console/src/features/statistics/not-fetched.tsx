// What stands in a panel of the home page whose figures did not come.

export function NotFetched({ onRetry }: { onRetry: () => void }) {
  return (
    <p className="dashboard-none" role="alert">
      <span>
        没有取到
        <button type="button" onClick={onRetry}>
          重试
        </button>
      </span>
    </p>
  );
}
