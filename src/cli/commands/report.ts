import { readCodeVersion } from '../../evaluation/code-version.js'
import { drawReport } from '../../evaluation/evidence/draw.js'
import { RENDERERS, renderFigures } from '../../report/renderers.js'
import { command } from '../command.js'
import { FORMAT, needed, text, usage } from '../options.js'

export default command({
  positionals: '<folder>',
  examples: {
    'foreproof report evidence --out drawn': 'Writes drawn/report.html and drawn/report.md',
    'foreproof report evidence --figures paper/figures':
      'Writes every chart as SVG with its figures as CSV',
  },
  options: {
    format: FORMAT,
    folder: needed('The folder that foreproof score wrote'),
    out: text('Folder for the pages; it must not exist, or be empty'),
    figures: text('Folder for the charts; it must not exist, or be empty'),
  },
  run: async ({ folder, out, figures }, context) => {
    if (out === undefined && figures === undefined) {
      throw usage(
        'nothing is to be written',
        'Name a folder: --out for the pages, --figures for charts.',
      )
    }
    const drawn = await drawReport({
      folder,
      out,
      code: readCodeVersion(),
      render: RENDERERS,
      ...(figures !== undefined && { figures: { out: figures, render: renderFigures } }),
    })
    const { findings } = drawn
    const common = { findings, checked: [folder] }
    if (!drawn.ok) {
      const none = { folder, written: [], result_sha256: null }
      return await context.report({
        ...common,
        figures: none,
        headline: 'not rendered; nothing was written',
      })
    }
    const { files, result } = drawn
    return await context.report({
      ...common,
      figures: { folder, written: files, result_sha256: result.result_sha256 },
      headline: `${result.inputs.registration.name}: rendered from the result, which was not audited`,
      body: files.map(formatFile).join('\n'),
    })
  },
})

const formatFile = (file: string) => `${/\.(?:svg|csv)$/.test(file) ? 'Figure' : 'Report'}: ${file}`
