import { pageFile } from '../../../src/site/layout.js'
import { FORECAST_MUTANTS } from './forecasts.js'
import { FILTER_MUTANTS, PAGE_MUTANTS } from './history.js'
import { history, type Mutant } from './mutant.js'
import { DOOR_MUTANTS, ENVELOPE_MUTANTS, FRESHNESS_MUTANTS, OPERATION_MUTANTS } from './services.js'
import { type Edit, edit, LATER_MUTANTS, LOG_MUTANTS, SITE_MUTANTS } from './sites.js'

/** One forecast of each page is wrong. */
const inService = FORECAST_MUTANTS.map(
  ([name, rules, change]): Mutant => [
    name,
    rules,
    history((body) => {
      if (body.data.length > 7) change(body.data[7])
    }),
  ],
)

/** One forecast of one page is wrong. */
const inSite = FORECAST_MUTANTS.map(
  ([name, rules, change]): Mutant<Edit> => [
    name,
    rules,
    edit(pageFile(3), (body) => change(body.data[7])),
  ],
)

/** Every service that breaks the specification in one place, by what it is about. */
export const SERVICES: Readonly<Record<string, readonly Mutant[]>> = {
  envelopes: ENVELOPE_MUTANTS,
  doors: DOOR_MUTANTS,
  operations: OPERATION_MUTANTS,
  pages: PAGE_MUTANTS,
  filters: FILTER_MUTANTS,
  freshness: FRESHNESS_MUTANTS,
  forecasts: inService,
}

/** Found by holding one answer against another, which forecasts that come in between could excuse. */
export const ACROSS_LOOKS: readonly string[] = ['pages', 'filters', 'freshness']

/** Every site that does. */
export const SITES: Readonly<Record<string, readonly Mutant<Edit>[]>> = {
  pages: SITE_MUTANTS,
  forecasts: inSite,
  later: LATER_MUTANTS,
  log: LOG_MUTANTS,
}
