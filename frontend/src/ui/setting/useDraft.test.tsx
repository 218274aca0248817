import { act, cleanup, renderHook } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import type { SettingInfo } from './setting'
import { useDraft } from './useDraft'

const setting = (path: string) => ({ path, environment: path, kind: 'text', value: null, default: null, isSet: false }) as unknown as SettingInfo

describe('what is wrong with a draft', () => {
  afterEach(cleanup)

  it('goes with a change of the setting, or of one of those that it is about', () => {
    const settings = [setting('WebDav:Username'), setting('WebDav:Password'), setting('Usenet:LineMegabits')]
    const { result } = renderHook(() => useDraft(settings))
    act(() => result.current.setFaults([{ path: 'WebDav', message: 'both' }, { path: 'Usenet:LineMegabits', message: 'no number' }, { path: 'WebDav:User', message: 'another' }]))
    act(() => result.current.set(setting('WebDav:Username'), 'anna'))
    expect(result.current.faults.map(({ path }) => path)).toEqual(['Usenet:LineMegabits', 'WebDav:User'])
    act(() => result.current.set(setting('usenet:linemegabits'), '50'))
    expect(result.current.faults.map(({ path }) => path)).toEqual(['WebDav:User'])
  })
})
