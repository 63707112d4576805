// A QR code, drawn in the page: its text goes nowhere else.
import { encode } from 'uqr';

/** @param label what the picture is for, for those who cannot see it */
export function QrCode({
  text,
  label,
  size = 200,
}: {
  readonly text: string;
  readonly label: string;
  readonly size?: number;
}) {
  const { data, size: side } = encode(text, { ecc: 'M', border: 4 });
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  // Dark on light in both colour schemes: cameras do not read the reverse.
  return (
    <svg
      width={size}
      height={size}
      viewBox={`0 0 ${side} ${side}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={side} height={side} fill="#ffffff" />
      <path d={path} fill="#000000" />
    </svg>
  );
}
