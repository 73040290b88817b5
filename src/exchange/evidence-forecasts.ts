import { ForeproofError } from '../contract/error.js'
import type { Finding } from '../contract/findings/finding.js'
import type { PairLine, SeriesForecast, SeriesProtocol } from '../contract/types.js'
import { openEvidence, openPairs } from '../evaluation/evidence/open.js'
import type { CodeVersion } from '../evaluation/result/result.js'
import { readPairLine } from '../pairing/lines.js'
import type { Omissions } from './hubverse/omissions.js'

/** The scored forecasts of an evaluation, baselines included. */
interface EvidenceForecasts {
  readonly rows: AsyncIterable<readonly SeriesForecast[]>
  /** A note if other code scored the result. */
  readonly findings: readonly Finding[]
}

/**
 * Opens the forecasts of an evidence folder, after checking result and pairs against their digests.
 * @param leftOut - counts expected attempts that were not scored.
 * @throws {ForeproofError} `refused` if it was scored under another protocol; as `openEvidence` and `openPairs`.
 */
export async function openForecasts(
  folder: string,
  { protocol_sha256 }: Pick<SeriesProtocol, 'protocol_sha256'>,
  { leftOut, code, signal }: ForecastOptions,
): Promise<EvidenceForecasts> {
  const { result, findings } = await openEvidence(folder, code)
  const { version, sha256 } = result.inputs.protocol
  if (sha256 !== protocol_sha256) {
    throw new ForeproofError('refused', `${folder}: was scored under another protocol`, {
      file: folder,
      help: `Name the file of ${version}: --protocol FILE`,
    })
  }
  const { levels } = result.settings.rules.forecast
  const pairs = await openPairs(folder, result, readPairLine, signal)
  return { rows: scoredRows(pairs, levels, leftOut), findings }
}

interface ForecastOptions {
  readonly leftOut: Omissions
  readonly code: CodeVersion
  readonly signal?: AbortSignal | undefined
}

async function* scoredRows(
  pairs: AsyncIterable<readonly PairLine[]>,
  levels: readonly string[],
  leftOut: Omissions,
): AsyncGenerator<readonly SeriesForecast[]> {
  for await (const lines of pairs) {
    yield lines.flatMap((line) => {
      if (!line.expected) return []
      const row = scoredRow(line, levels)
      if (row === undefined) leftOut.add('unscored')
      return row ?? []
    })
  }
}

function scoredRow(line: PairLine, levels: readonly string[]): SeriesForecast | undefined {
  const { series, origin, step: horizon, model, status, value, quantiles } = line
  if (status !== 'scored' || value === null || origin === null || horizon === null) return undefined
  const given = quantiles.flatMap((quantile, at) =>
    quantile === null ? [] : [[levels[at] as string, quantile] as const],
  )
  return { series, origin, horizon, model, value, quantiles: Object.fromEntries(given) }
}
