import { readFileSync, type Stats, statSync } from 'node:fs'
import { LastSeen } from '../../files/last-seen.js'
import { type HealthReport, readHealthReport } from './health-report.js'

/** A report is a few hundred bytes; what is far larger is something else. */
const MAX_BYTES = 1_048_576

export type HealthReading = HealthReport | { readonly invalid: string }

/**
 * The health report as it lies on disk at this moment. It is read again whenever its file has changed,
 * also by rename; between changes a look costs one stat.
 */
export class HealthFile {
  private readonly seen = new LastSeen()
  private reading: HealthReading = { invalid: 'not read yet' }

  constructor(private readonly path: string) {}

  /** @param nowMs wall clock, to tell whether the file has settled. */
  look(nowMs: number): HealthReading {
    try {
      const found = statSync(this.path)
      if (this.seen.isNew(found, nowMs)) this.reading = this.read(found)
    } catch (cause) {
      this.seen.forget()
      this.reading = this.invalid(`cannot be read (${(cause as NodeJS.ErrnoException).code})`)
    }
    return this.reading
  }

  private read(found: Stats): HealthReading {
    if (!found.isFile()) return this.invalid('not a regular file')
    if (found.size > MAX_BYTES) return this.invalid('far too large for a health report')
    const report = readHealthReport(readFileSync(this.path))
    return 'invalid' in report ? this.invalid(report.invalid) : report
  }

  private invalid(why: string): HealthReading {
    return { invalid: `${this.path}: ${why}` }
  }
}
