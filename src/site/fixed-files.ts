import { openApiDocument } from '../contract/openapi.js'
import { indexPage, notFoundPage } from './page/document.js'
import type { SiteSettings } from './plan/plan.js'
import type { BuildFiles } from './writer/encoded.js'

/** Files that hold no forecast. */
export const FIXED_FILES = ['openapi.json', '404.html', 'index.html'] as const

/** Writes the fixed files that have changed. @param logSaid - who saw the log, if one is published. */
export async function writeFixedFiles(
  files: BuildFiles,
  { baseUrl, staleAfterSeconds, verifier }: SiteSettings,
  linkedPages: boolean,
  logSaid: string | undefined,
): Promise<void> {
  // The document is at the root of the site, so by default its base is its own folder.
  const openapi = openApiDocument({ variant: 'static', baseUrl: baseUrl ?? '.', linkedPages })
  const texts = {
    'openapi.json': `${JSON.stringify(openapi, null, 2)}\n`,
    '404.html': notFoundPage(),
    'index.html': indexPage(staleAfterSeconds, linkedPages, logSaid, verifier),
  }
  for (const path of FIXED_FILES) await files.putWithCopies(path, texts[path])
}
