import { expect, it } from 'vitest'
import { tamperForecast } from '../../src/page/change.js'

it('changes a forecast of a model whose name is beyond ASCII, in bytes as characters', () => {
  const model = 'Prophète 预测'
  const line = (name: string, value: number) =>
    `${JSON.stringify({ model: name, expected: true, status: 'scored', value })}\n`
  const bytes = (text: string) => Buffer.from(text).toString('latin1')
  const text = bytes(line('other', 1) + line(model, 0) + line(model, 2))
  const made = tamperForecast(text, bytes(model))
  expect(made).toMatchObject({ line: 3, before: '2', after: '2.02' })
  const after = Buffer.from(made?.text ?? '', 'latin1').toString()
  expect(after).toBe(line('other', 1) + line(model, 0) + line(model, 2.02))
})
