/** Results and findings in words: for people, pull requests and machines. */

export {
  type FindingsReport,
  type OutputFormat,
  printReport,
  type ReportOutput,
} from '../output/print.js'
export { renderHtml } from '../report/html/page.js'
export { renderMarkdown } from '../report/markdown/page.js'
export { RENDERERS } from '../report/renderers.js'
