import { afterAll } from 'vitest'
import { endAll } from './at-end.js'

afterAll(endAll)
