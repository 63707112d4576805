// The product's mark: a hallmark's hexagon with its letter.
export function Mark({ size }: { readonly size: number }) {
  return (
    <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true">
      <path d="M16 1.8 28.3 8.9v14.2L16 30.2 3.7 23.1V8.9z" fill="#1a6a58" stroke="#d9b75c" strokeWidth="1.2" />
      <path d="M16 7.2 23.2 24h-3.6l-1.5-3.8h-4.3L12.3 24H8.8zm0 6-1.3 4.3h2.5z" fill="#f0e2b8" />
    </svg>
  );
}
