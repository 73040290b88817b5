import { join } from 'node:path'
import { type Finding, finding } from '../../contract/findings/finding.js'
import { printable } from '../../contract/printable.js'
import { readCodeVersion } from '../../evaluation/code-version.js'
import { FILES } from '../../evaluation/evidence/folder.js'
import { findProtocolFolder } from '../../evaluation/load.js'
import { openInputs } from '../../evaluation/open.js'
import type { Result } from '../../evaluation/result/result.js'
import { scoreEvaluation } from '../../evaluation/score.js'
import { readingsSaid } from '../../report/beside.js'
import { beforeYouRead } from '../../report/notes.js'
import { reasonLines } from '../../report/reasons.js'
import { alphaSaid } from '../../report/registrations.js'
import { RENDERERS } from '../../report/renderers.js'
import { dispositionName, unitIn, verdictSentence } from '../../report/sentences.js'
import { asCounts, verdictsIn } from '../../report/view.js'
import { windowSaid } from '../../report/window.js'
import { historyName } from '../../store/shown.js'
import { toTrustChoice } from '../../time/level.js'
import { command } from '../command.js'
import {
  FORMAT,
  flag,
  HISTORY_OPTION,
  LOG_OPTION,
  needed,
  TRUST_OPTIONS,
  text,
} from '../options.js'
import { timeFacts, timeFigures } from '../time-facts.js'
import { twoColumns } from '../wording.js'
import { threads, WORKERS, watched } from '../work.js'

export default command({
  examples: {
    'foreproof score --registration registration.json --history h.sqlite --outcomes vintages/coinbase --out evidence':
      'Writes evidence/, opens with evidence/report.html',
  },
  options: {
    format: FORMAT,
    history: HISTORY_OPTION,
    log: LOG_OPTION,
    ...TRUST_OPTIONS,
    workers: WORKERS,
    registration: needed('The file that foreproof register wrote'),
    protocol: text('The frozen protocol or its folder (by default found from the registration)'),
    outcomes: needed('The vintage: the folder that foreproof outcomes import wrote'),
    out: needed('Folder to write; it must not exist'),
    through: text('Score a backtest of any series only up to this origin; decides nothing'),
    implausible: flag(
      'Also score candidates whose forecasts seem to be in another unit than the outcomes',
    ),
  },
  run: async (args, context) => {
    const { registration, history, outcomes, out } = args
    const paths = {
      registration,
      protocol: args.protocol ?? findProtocolFolder(registration),
      history,
      outcomes,
    }
    const checked = [registration, paths.protocol, historyName(history), outcomes]
    const { log, anchors, witnesses } = args
    const inputs = openInputs({ ...paths, log, anchors, witnesses })
    const scored = await watched(context, 'The result was not written.', (signal, show) =>
      scoreEvaluation(inputs, {
        ...threads(args, show),
        signal,
        out,
        implausible: args.implausible,
        through: args.through,
        now: context.now,
        code: readCodeVersion(),
        render: RENDERERS,
      }),
    )
    if (!scored.ok) {
      return await context.report({
        findings: scored.findings,
        figures: { folder: null, link: scored.link, dispositions: null },
        checked,
        headline: 'not scored; nothing was written, and no score was computed',
      })
    }
    const { result, folder, access, entry, level } = scored
    const who = toTrustChoice(args)
    const report = join(folder, FILES.html)
    return await context.report({
      findings: [...scored.findings, ...exploratoryFindings(result, access)],
      figures: {
        folder,
        report,
        access,
        ledger_entry: entry.seq,
        result_sha256: result.result_sha256,
        kind: result.kind,
        exploratory: result.exploratory,
        alpha: result.settings.rules.alpha,
        time: timeFigures(level, result.time, who),
        family: result.reading.family,
        dispositions: verdictsIn(result),
        late_forecasts: result.second_reading?.late ?? 0,
      },
      checked,
      headline: `${result.inputs.registration.name} scored`,
      body: `${formatResult(result, timeFacts(level, result.time, who), report)}\nThe ledger has it as entry ${entry.seq}. Next: commit the ledger and access/.`,
    })
  },
})

function exploratoryFindings(result: Result, access: string): Finding[] {
  if (!result.exploratory) return []
  const args = { readings: result.earlier_readings }
  return [finding('exploratory-run', args, { file: access })]
}

function formatResult(result: Result, facts: ReturnType<typeof timeFacts>, report: string): string {
  const parts = verdictsIn(result).map((of) => {
    const counts = asCounts(result, of.candidate)
    const { shown, rest } = reasonLines(counts, of, 4)
    const readings = readingsSaid(result, of.candidate)
    const reasons = shown.map((line) => `  ${line}`)
    const more = rest.length
    return [
      `${of.candidate}: ${dispositionName(result, of)}`,
      ...(readings === undefined ? [] : [`  ${readings}`]),
      `  ${verdictSentence(counts, of)}`,
      ...reasons,
      ...(more > 0 ? [`  and ${more} more in the report`] : []),
    ]
      .map(printable)
      .join('\n')
  })
  const { registrations } = result
  const alpha = registrations ? alphaSaid(registrations, unitIn(result)) : undefined
  const times = twoColumns([...facts, ['alpha', alpha]])
  const { open, folded } = beforeYouRead(result)
  const more = folded.length > 0 ? [`and ${folded.length} more in the report`] : []
  const cautions = [windowSaid(result), ...open, ...more].map(printable).join('\n')
  return [cautions, ...parts, times, `Report: ${printable(report)}`].filter(Boolean).join('\n\n')
}
