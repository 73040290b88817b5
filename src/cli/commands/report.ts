import { codeVersion } from '../../evaluation/code-version.js'
import { drawReport } from '../../evaluation/evidence/draw-report.js'
import { printReport } from '../../output/print.js'
import { RENDERERS } from '../../report/renderers.js'
import { command } from '../command.js'
import { withFormat } from '../options/common.js'

export default command({
  positionals: '<folder>',
  describe: 'Draw the report of an evaluation again from its result.json',
  examples: [
    ['foreproof report evidence --out drawn', 'Writes drawn/report.html and drawn/report.md'],
  ],
  options: (yargs) =>
    withFormat(yargs)
      .positional('folder', {
        type: 'string',
        demandOption: true,
        describe: 'The folder that foreproof score wrote',
      })
      .option('out', {
        type: 'string',
        demandOption: true,
        describe: 'Folder to write; it must not exist, or be empty',
      }),
  run: async ({ folder, out, format }, context) => {
    const drawn = await drawReport({ folder, out, code: codeVersion(), render: RENDERERS })
    const files = drawn.ok ? drawn.files : []
    return await printReport(context, format, {
      findings: drawn.findings,
      figures: {
        folder,
        written: files,
        result_sha256: drawn.ok ? drawn.result.result_sha256 : null,
      },
      checked: [folder],
      headline: drawn.ok
        ? `${drawn.result.inputs.registration.name}: drawn from the result, which was not audited`
        : 'not drawn; nothing was written',
      ...(drawn.ok && { body: files.map((file) => `Report: ${file}`).join('\n') }),
    })
  },
})
