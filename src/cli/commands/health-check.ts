import { checkPipelineHealth } from '../../contract/generated/check-pipeline-health.js'
import type { PipelineHealth } from '../../contract/types.js'
import { loadDocument } from '../../protocol/load.js'
import { locateFindings } from '../../protocol/rules/check.js'
import { toHealthReport, toStatus } from '../../service/health/health.js'
import { command } from '../command.js'
import { FORMAT, needed } from '../options.js'
import { textLookup } from '../wording.js'

export default command({
  positionals: '<file>',
  examples: { 'foreproof health check .state/pipeline_health.json': 'Its form, and what follows' },
  options: {
    format: FORMAT,
    file: needed('The report; - for standard input'),
  },
  run: async ({ file }, context) => {
    const document = await loadDocument(file, context.stdin)
    const findings = document.ok
      ? locateFindings(checkPipelineHealth(document.value), document)
      : document.findings
    const status =
      document.ok && findings.length === 0
        ? toStatus(toHealthReport(document.value as PipelineHealth))
        : undefined
    const served = status === 'unavailable' ? 'forecasts are answered 503' : 'forecasts are served'
    return context.report({
      findings,
      ...(status !== undefined && { figures: { status }, body: `${status}: ${served}` }),
      checked: [document.file],
      headline: document.file,
      source: textLookup([document]),
    })
  },
})
