import { ForeproofError } from '../contract/error.js'
import { firstReason, hasNoErrors } from '../contract/findings/finding.js'
import type { SeriesProtocol } from '../contract/types.js'
import type { PeriodList } from '../periods/list.js'
import { loadFile } from './load.js'
import { verifyProtocol } from './verify.js'

/**
 * Reads a frozen protocol of version 2 with the list of periods beside it.
 * @throws {ForeproofError} `not-found` or `io` if one cannot be read; `usage` for a protocol of version 1;
 * `invalid-input` with the findings if one of the two does not verify.
 */
export async function readSeriesProtocol(
  file: string,
): Promise<{ readonly protocol: SeriesProtocol; readonly periods: PeriodList }> {
  const document = loadFile(file)
  const { findings, periods } = verifyProtocol(document)
  if (document.ok && hasNoErrors(findings)) {
    if (periods !== undefined) return { protocol: document.value as SeriesProtocol, periods }
    throw new ForeproofError('usage', `${file}: a protocol of version 1`, {
      file,
      help: 'Here one of version 2 is meant, for any series.',
    })
  }
  throw new ForeproofError(
    'invalid-input',
    `${file}: the protocol does not verify${firstReason(findings)}`,
    {
      file,
      help: '`foreproof verify` names what is wrong.',
      findings,
    },
  )
}
