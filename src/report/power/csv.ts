import type { PowerFigures } from '../../lint/power/figures.js'

/** The curve, a row for every length and correlation; an empty figure where nothing is found. */
export function powerCsv({ curve, predictions }: PowerFigures): string {
  const rows = curve.flatMap(({ days, smallest }) =>
    predictions.map(({ correlation, candidate }, index) =>
      [days, correlation, quoted(candidate ?? ''), smallest[index] ?? ''].join(','),
    ),
  )
  return `${['days,correlation,candidate,smallest_reduction', ...rows].join('\n')}\n`
}

function quoted(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
