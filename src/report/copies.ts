import type { EvaluationResult, ModelMeasures } from '../evaluation/result/types.js'
import { listed } from '../output/figures.js'
import { comparatorsOf } from './view.js'

/**
 * Comparators whose every figure is that of another, such as a strongest simple one that was
 * persistence throughout: a test against one says nothing that the test against the other does not.
 * One sentence for each group of copies.
 */
export function copiesOf(result: EvaluationResult): string[] {
  const groups = new Map<string, string[]>()
  for (const { name } of comparatorsOf(result)) {
    const own = result.measures.filter(({ model }) => model === name)
    // Where nothing was scored there are no figures to be alike.
    if (!own.some(({ pairs }) => pairs > 0)) continue
    const figures = JSON.stringify(own.map(figuresOf))
    groups.set(figures, [...(groups.get(figures) ?? []), name])
  }
  return [...groups.values()]
    .filter((names) => names.length > 1)
    .map(
      (names) =>
        `${listed(names)} have the same figures throughout: in this window they are copies, and a test against one is the test against ${names.length === 2 ? 'the other' : 'any other'}.`,
    )
}

function figuresOf({ model: _model, ...figures }: ModelMeasures) {
  return figures
}
