import { describe, expect, it } from 'vitest'
import { withinRoot } from './files'

describe('paths of files', () => {
  it.each([
    [['Film/film.mkv', 'Film/Sample/sample.mkv'], ['film.mkv', 'Sample/sample.mkv']],
    [['Film/film.mkv'], ['film.mkv']], [['film.mkv'], ['film.mkv']], [['Film/a', 'Films/b'], ['Film/a', 'Films/b']], [['Film', 'Film/b'], ['Film', 'Film/b']], [[], []],
  ])('%o: %o', (paths, expected) => {
    expect(withinRoot(paths)).toEqual(expected)
  })
})
