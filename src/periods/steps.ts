const RANGE = /^(-?\d{1,7})(?:-(-?\d{1,7}))?$/
/** More steps are a mistake: for hourly lists this is over a year. */
const MOST = 10_000

/**
 * Parses steps such as `13-35` or `1,2,5`: ascending, without repeats; 0 and negative steps are allowed.
 * @returns undefined for any other text.
 */
export function parseSteps(text: string): readonly number[] | undefined {
  const steps: number[] = []
  for (const part of text.split(',')) {
    const [, first, last = first] = RANGE.exec(part.trim()) ?? []
    if (first === undefined) return undefined
    const [from, to] = [Number(first), Number(last)]
    if (from > to || from <= (steps.at(-1) ?? Number.NEGATIVE_INFINITY)) return undefined
    if (steps.length + to - from >= MOST) return undefined
    for (let step = from; step <= to; step++) steps.push(step === 0 ? 0 : step)
  }
  return steps
}

/** The shortest text for ascending steps. */
export function stepsText(steps: readonly number[]): string {
  const ranges: [number, number][] = []
  for (const step of steps) {
    const range = ranges.at(-1)
    if (range !== undefined && range[1] === step - 1) range[1] = step
    else ranges.push([step, step])
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',')
}
