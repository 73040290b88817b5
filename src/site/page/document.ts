import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { html } from '../../report/html/markup.js'
import type { SiteSettings } from '../plan/plan.js'
import * as chart from './client/chart.js'
import * as dom from './client/dom.js'
import * as freshness from './client/freshness.js'
import * as linked from './client/linked.js'
import * as start from './client/start.js'
import * as tables from './client/tables.js'
import * as words from './client/words.js'

/** The source of these functions is the script: checked here as code, sent as text. */
const createScript = (parts: readonly object[], browse: (...args: never[]) => void) =>
  parts
    .flatMap((part) => Object.values(part).map(String))
    .concat(`start(${browse.name})`)
    .join('\n')

const PARTS = [dom, words, chart, tables, freshness, start]
const SCRIPT = createScript(PARTS, start.browseNumbered)
const LINKED_SCRIPT = createScript([...PARTS, linked], linked.browseLinked)

const hashSource = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** The page loads only the site's own JSON; this policy makes the browser enforce it. */
function policy(style: string, script: string): string {
  return [
    "default-src 'none'",
    `style-src ${hashSource(style)}`,
    `script-src ${hashSource(script === '' ? SCRIPT : script)}`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
}

// A dot on a line, like a forecast from afar.
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect x='6' y='1' width='4' height='14' rx='2' fill='%230a6c74' opacity='.35'/%3E%3Ccircle cx='8' cy='6' r='3' fill='%230a6c74'/%3E%3C/svg%3E"

function page(title: string, body: string, script: string, attributes = ''): string {
  const style = readFileSync(new URL('style.css', import.meta.url), 'utf8')
  return `<!doctype html>
<html lang="en"${attributes}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy(style, script)}">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<link rel="icon" href="${ICON}">
<style>${style}</style>
</head>
<body>
${body}
${script === '' ? '' : `<script>${script}</script>\n`}</body>
</html>
`
}

/**
 * Builds `index.html`, which has the same bytes for any forecasts.
 * @param linked whether page names are known from `next_url` only.
 * @param logSaid who saw the log of the forecasts, if one is published.
 * @param verifier the page that can recompute evaluations.
 */
export function indexPage(
  staleAfterSeconds: number,
  linked = false,
  logSaid?: string,
  verifier?: SiteSettings['verifier'],
): string {
  const script = linked ? LINKED_SCRIPT : SCRIPT
  return page(
    'BTC/USD forecasts',
    drawBody(logSaid, verifier),
    script,
    ` data-stale-after="${staleAfterSeconds}"`,
  )
}

/** Builds `404.html`. It has no links, because hosts also show it below other folders. */
export function notFoundPage(): string {
  const body = `<main class="wrap"><header><h1>BTC/USD forecasts</h1></header>
<section><h2>Page not found</h2>
<p>The forecasts are at the root of this site. Numbered pages keep their addresses.</p></section></main>`
  return page('Not found: BTC/USD forecasts', body, '')
}

const drawBody = (logSaid?: string, verifier?: SiteSettings['verifier']) =>
  html`<a class="skip" href="#main">Skip to the forecasts</a>
<div class="wrap">
<header><h1>BTC/USD forecasts</h1><button id="theme" type="button" aria-label="Switch between light and dark">Dark</button></header>
<main id="main">
<p id="price"></p>
<p id="freshness" role="status">Reading the forecasts.</p>
<noscript><p>This page draws the forecasts with JavaScript. The data itself is plain JSON: <a href="service/api/v1/forecasts.json">forecasts.json</a>.</p></noscript>
<section id="latest" aria-labelledby="latest-title" hidden>
<h2 id="latest-title">Latest forecasts</h2>
<p class="note">Marks are the forecasts for <span id="horizons">each horizon</span> ahead, bars their <span id="level"></span> intervals, short lines the medians. The dotted line is the price when they were made.</p>
<div id="chart" role="img" aria-label="Chart of the latest forecasts by horizon and model; the table below holds the same figures."></div>
<ul class="legend" id="legend" aria-label="Models"></ul>
<div class="scroll" id="latest-table" role="region" aria-label="Latest forecasts in figures" tabindex="0"></div>
<p class="note"><strong>Agreement is not a probability.</strong> It says how far the models agree, not how likely a forecast is to come true.</p>
</section>
<section id="history" aria-labelledby="history-title" hidden>
<h2 id="history-title">All forecasts</h2>
<p class="note">Every forecast as it was first published. None is changed afterwards.</p>
<nav aria-label="Pages of forecasts"><button id="newer" type="button">Newer</button><button id="older" type="button">Older</button><p id="position" role="status"></p></nav>
<div class="scroll" id="history-table" role="region" aria-label="Forecasts of this page" tabindex="0"></div>
</section>
</main>
<footer>
<p id="snapshot"></p>
${logSaid && html`<p id="log">${logSaid}</p>\n`}${verifier && html`<p id="verifier">To check how these forecasts were scored, ask for the evidence folder. <code>verify.html</code> of ${verifier.release} recomputes the verdict in a browser, without a network. Get it from that release or with <code>foreproof verify-page</code>, not from this site. Its SHA-256 is <code>${verifier.sha256}</code>.</p>\n`}<p>A read-only snapshot of a forecast history. That you can read it does not mean that it is current.</p>
<ul><li><a href="service/api/v1/forecasts/latest.json">latest.json</a></li><li><a href="service/api/v1/forecasts.json">forecasts.json</a></li><li><a href="openapi.json">openapi.json</a></li><li><a href="checksums.txt">checksums.txt</a></li></ul>
</footer>
</div>`.text
