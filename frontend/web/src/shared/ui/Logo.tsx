/** The logo: three steps, and a dot above them. */
export function Logo({ size = 32 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="#23409b" />
      <path
        d="M6 24h6v-6h6v-6h5"
        fill="none"
        stroke="#fff"
        strokeWidth="3"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
      <circle cx="25" cy="7.5" r="2.7" fill="#ffb020" />
    </svg>
  )
}
