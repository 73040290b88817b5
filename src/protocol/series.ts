import { ForeproofError } from '../contract/error.js'
import { hasNoErrors, messageOf } from '../contract/findings/finding.js'
import type { SeriesProtocol } from '../contract/types.js'
import type { PeriodList } from '../periods/list.js'
import { loadFile } from './load.js'
import { isSeriesProtocol } from './rules/check.js'
import { frozenPeriods, Verifier } from './verify.js'

/**
 * Reads a frozen protocol of version 2 with the list of periods beside it.
 * @throws {ForeproofError} `not-found` or `io` where one cannot be read; `usage` for a protocol of version 1;
 * `invalid-input` with the findings where one of the two does not verify.
 */
export async function readSeriesProtocol(
  file: string,
): Promise<{ readonly protocol: SeriesProtocol; readonly periods: PeriodList }> {
  const document = loadFile(file)
  const findings = [...new Verifier().add(document)]
  if (document.ok && hasNoErrors(findings)) {
    if (!isSeriesProtocol(document.value)) {
      throw new ForeproofError('usage', `${file}: a protocol of version 1`, {
        file,
        help: 'Here one of version 2 is meant, for any series.',
      })
    }
    const read = await frozenPeriods(document)
    if (read.ok) {
      return { protocol: document.value as unknown as SeriesProtocol, periods: read.periods }
    }
    findings.push(...read.findings)
  }
  const [first] = findings
  const why = first === undefined ? '' : `: ${messageOf(first).text}`
  throw new ForeproofError('invalid-input', `${file}: the protocol does not verify${why}`, {
    file,
    help: '`foreproof verify` names what is wrong.',
    findings,
  })
}
