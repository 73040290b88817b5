import { html, type Markup } from './markup.js'
import { pageStyle } from './style.js'

export interface HtmlDocument {
  readonly title: string
  /** The program that made it, with its version. */
  readonly generator: string
  /** The digest of the result that it shows, where it shows one. */
  readonly result?: string
  readonly body: Markup
}

/** What stands around the body of every page; its policy forbids whatever is not in the page itself. */
export function htmlDocument({ title, generator, result, body }: HtmlDocument): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="${generator}">
${result !== undefined && html`<meta name="foreproof-result" content="${result}">\n`}<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${pageStyle()}</style>
</head>
<body>
${body}
</body>
</html>
`.text
}
