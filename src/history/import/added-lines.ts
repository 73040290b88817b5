import type { TablePosition } from './accept.js'

/** Rows of a table with consecutive log entries and equal line distances. */
interface Run {
  readonly index: number
  readonly line: number
  readonly file: string
  step: number
  count: number
}

/** The line of each log entry that an import has added. Uniform tables need constant memory. */
export class AddedLines {
  readonly #runs: Run[] = []

  get isEmpty(): boolean {
    return this.#runs.length === 0
  }

  /** @param index - of the entry; each is higher than the one before. */
  add(index: number, { line, file }: TablePosition): void {
    const last = this.#runs.at(-1)
    if (last?.file === file && index === last.index + last.count) {
      const step = line - last.line - last.step * (last.count - 1)
      if (last.count === 1) last.step = step
      if (step === last.step) {
        last.count++
        return
      }
    }
    this.#runs.push({ index, line, file, step: 0, count: 1 })
  }

  /** The line and file of an entry; undefined if this import did not add it. */
  at(index: number): TablePosition | undefined {
    let [low, high] = [0, this.#runs.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#runs[middle] as Run).index <= index) low = middle + 1
      else high = middle
    }
    const run = this.#runs[low - 1]
    if (run === undefined || index >= run.index + run.count) return undefined
    return { line: run.line + (index - run.index) * run.step, file: run.file }
  }
}
