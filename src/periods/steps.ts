const RANGE = /^(-?\d{1,7})(?:-(-?\d{1,7}))?$/
/** More are a mistake: of a list of hours, over a year. */
const MOST = 10_000

/**
 * Steps as `13-35` or `1,2,5`: ascending, each once; negative ones and 0 are steps too.
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

/** The shortest text of ascending steps. */
export function stepsText(steps: readonly number[]): string {
  const ranges: [number, number][] = []
  for (const step of steps) {
    const range = ranges.at(-1)
    if (range !== undefined && range[1] === step - 1) range[1] = step
    else ranges.push([step, step])
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',')
}
