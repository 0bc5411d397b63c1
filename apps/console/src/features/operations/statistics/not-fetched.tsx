// Error state with retry for a panel of the home page.

export function NotFetched({ onRetry }: { onRetry: () => void }) {
  return (
    <p className="dashboard-none" role="alert">
      <span>
        加载失败
        <button type="button" onClick={onRetry}>
          重试
        </button>
      </span>
    </p>
  );
}
