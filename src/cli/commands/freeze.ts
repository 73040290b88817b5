import type { Finding } from '../../contract/findings/finding.js'
import type { Instant } from '../../contract/instant.js'
import { printable } from '../../contract/printable.js'
import type { Document } from '../../document/read.js'
import { earliestHourly, earliestOfSeries, listFindings } from '../../lint/earliest.js'
import { lintDocuments } from '../../lint/lint.js'
import { TEXTS_ARE_NOT_EXECUTED } from '../../lint/texts.js'
import type { PeriodList } from '../../periods/list.js'
import { openPeriods } from '../../periods/read.js'
import { checkDraft, type FreezeResult, freezeProtocol } from '../../protocol/freeze.js'
import { ledgerPath } from '../../protocol/ledger-file.js'
import { loadDocument } from '../../protocol/load.js'
import { isSeriesProtocol, locateFindings } from '../../protocol/rules/check.js'
import { compileRules, type Rules } from '../../protocol/rules/compile.js'
import { command } from '../command.js'
import { earliestText } from '../earliest.js'
import { FORMAT, flag, needed, PROTOCOL_FOLDER, text, usage } from '../options.js'
import { uninterrupted } from '../work.js'

export default command({
  positionals: '<draft>',
  examples: {
    'foreproof freeze draft.json': 'writes protocols/VERSION.json and protocols/ledger.jsonl',
    'foreproof freeze draft.json --supersedes 1.0.0': 'records which version this one replaces',
    'foreproof freeze draft.json --dry-run': 'checks, computes, writes nothing',
  },
  options: {
    draft: needed('A protocol, with or without protocol_sha256, or - for standard input'),
    dir: PROTOCOL_FOLDER,
    supersedes: text('The frozen version this one replaces'),
    periods: text('List of periods (version 2)'),
    'dry-run': flag('Write nothing'),
    format: FORMAT,
  },
  run: async ({ draft, dir, supersedes, periods: list, 'dry-run': dryRun }, context) => {
    const document = await loadDocument(draft, context.stdin)
    if (list !== undefined && document.ok && !isSeriesProtocol(document.value)) {
      const help = 'Leave it out, or write a draft of version 2.'
      throw usage('--periods is for protocols of version 2', help)
    }
    const read = list === undefined ? undefined : await openPeriods(list)
    const periods = read?.ok ? read.periods : undefined
    const draftFindings = document.ok ? checkDraft(document, periods) : document.findings
    const findings = read?.ok === false ? read.findings : draftFindings
    const common = {
      findings,
      checked: [document.file],
      source: () => (read?.ok === false ? undefined : document.text),
    }
    if (findings.length > 0 || !document.ok) {
      const figures = { frozen: null }
      return context.report({ ...common, figures, headline: 'not frozen' })
    }
    const options = { folder: dir, now: context.now(), supersedes, periods, dryRun }
    const frozen = uninterrupted(() => freezeProtocol(document, options))
    const { protocol } = frozen
    const rules = compileRules(protocol, periods)
    const earliest =
      periods === undefined
        ? earliestHourly(rules, context.now())
        : earliestOfSeries(rules, periods, context.now())
    return context.report({
      ...common,
      findings: doubtsAbout(document, rules, periods, context.now()),
      figures: { frozen: toFigures(frozen, dir), earliest_verdict: earliest ?? null },
      headline: headline(frozen, dryRun),
      body: `${isSeriesProtocol(document.value) ? '' : `${TEXTS_ARE_NOT_EXECUTED}\n`}${earliestText(earliest, context.now())}${printable(`${protocol.protocol_sha256}  ${frozen.file}`)}`,
    })
  },
})

/** Lint findings do not prevent a freeze; they are shown with it, and by --dry-run before it. */
function doubtsAbout(
  document: Document,
  rules: Rules,
  periods: PeriodList | undefined,
  now: Instant,
): Finding[] {
  const findings =
    periods === undefined
      ? lintDocuments(document, {}).findings
      : locateFindings(listFindings(rules, periods, now), document)
  return findings.map((each) =>
    each.severity === 'error' ? { ...each, severity: 'warning' } : each,
  )
}

function toFigures({ protocol, file, created, entry }: FreezeResult, dir: string) {
  return {
    file,
    created,
    protocol_version: protocol.protocol_version,
    protocol_sha256: protocol.protocol_sha256,
    ledger:
      entry === undefined
        ? null
        : { file: ledgerPath(dir), seq: entry.seq, entry_sha256: entry.entry_sha256 },
  }
}

function headline(frozen: FreezeResult, dryRun: boolean): string {
  const version = frozen.protocol.protocol_version
  if (dryRun) return `${version} can be frozen (nothing was written)`
  return frozen.created ? `${version} frozen` : `${version} was frozen before with this content`
}
