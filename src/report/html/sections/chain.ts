import type { Result } from '../../../evaluation/result/result.js'
import { listChainLinks } from '../../evidence-chain.js'
import { folded, html, type Markup } from '../markup.js'

/** Each link with its digest. */
export function chainList(result: Result): Markup {
  return html`<ol class="chain">${listChainLinks(result).map(
    ([name, says, sha256]) =>
      html`<li><b>${name}</b> <span>${says}</span> ${sha256 === null ? html`<span class="muted">not recorded</span>` : html`<code>${sha256}</code>`}</li>
`,
  )}</ol>`
}

/** The evidence for the result, and how to check it. */
export function chainSection(result: Result): Markup {
  return html`<p>Each link is fixed by the SHA-256 of what it holds. Given the inputs, <code>foreproof audit</code> makes all of it again and names the first link that does not hold.</p>
<p>With only a browser, the page <code>verify.html</code> does the same: <code>foreproof verify-page</code> writes it, identical for every user of a release. <code>foreproof --version --verbose</code> prints its SHA-256.</p>
${folded('Every link with its digest', chainList(result), 'printed')}`
}
