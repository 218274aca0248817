import { expect, it, vi } from 'vitest'
import { looker } from './follow'

const turn = () => new Promise((done) => setTimeout(done))

it('looks once for all that is told during a look, and again for what is left', async () => {
  const ends: ((more: boolean) => void)[] = []
  const look = vi.fn(() => new Promise<boolean>((done) => ends.push(done)))
  const ask = looker(look)
  expect(look).not.toHaveBeenCalled()
  ask()
  ask()
  ask()
  expect(look).toHaveBeenCalledTimes(1)
  ends[0]?.(false)
  await turn()
  expect(look).toHaveBeenCalledTimes(2)
  ends[1]?.(true)
  await turn()
  expect(look).toHaveBeenCalledTimes(3)
  ends[2]?.(false)
  await turn()
  expect(look).toHaveBeenCalledTimes(3)
})

it('looks again when it is told after a failure', async () => {
  const look = vi.fn().mockRejectedValueOnce(new Error('away')).mockResolvedValue(false)
  const ask = looker(look)
  ask()
  await turn()
  expect(look).toHaveBeenCalledTimes(1)
  ask()
  await turn()
  expect(look).toHaveBeenCalledTimes(2)
})
