import { readFileSync, type Stats, statSync } from 'node:fs'
import { LastSeen } from '../../files/last-seen.js'
import { type HealthReport, NO_PIPELINE, NO_REPORT, readHealthReport } from './health-report.js'

/** A report is a few hundred bytes; what is far larger is something else. */
const MAX_BYTES = 1_048_576

export type HealthReading = HealthReport | { readonly invalid: string }

/** Where the report comes from. */
export interface HealthSource {
  /** @param nowMs wall clock, to tell whether a file has settled. */
  look(nowMs: number): HealthReading
}

/** @param path of the report; `none` where there is none. */
export function healthSource(path: string): HealthSource {
  return path === NO_PIPELINE ? { look: () => NO_REPORT } : new HealthFile(path)
}

/**
 * The health report as it lies on disk at this moment. It is read again whenever its file has changed,
 * also by rename; between changes a look costs one stat.
 */
class HealthFile implements HealthSource {
  private readonly seen = new LastSeen()
  private reading: HealthReading = { invalid: 'not read yet' }

  constructor(private readonly path: string) {}

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
