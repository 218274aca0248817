import { describe, expect, it } from 'vitest'
import { setting } from '~/ui/setting/fakes'
import { probeOf } from './probe'

const path = 'Usenet:Providers:0'
const saved = [
  setting(`${path}:Host`, { value: 'news.example.com', isSet: true, source: 'stored' }),
  setting(`${path}:UseTls`, { kind: 'flag', default: 'true' }),
  setting(`${path}:Port`, { kind: 'number', default: '563' }),
  setting(`${path}:VerifyCertificate`, { kind: 'flag', default: 'true' }),
  setting(`${path}:Username`, { value: 'anna', isSet: true, source: 'stored' }),
  setting(`${path}:Password`, { kind: 'secret', isSet: true, source: 'stored' }),
  setting(`${path}:MaxConnections`, { kind: 'number', default: '20' }),
]

describe('probeOf', () => {
  it('lets the server take the saved password', () => {
    expect(probeOf(0, saved, {})).toEqual({ number: 0, host: 'news.example.com', port: 563, useTls: true, verifyCertificate: true, username: 'anna', password: null, proxy: null, maxConnections: 20 })
  })

  it('lets the server take the saved proxy, whatever becomes of the password', () => {
    const behind = [...saved, setting(`${path}:Proxy`, { kind: 'secret', isSet: true, source: 'stored' })]
    expect(probeOf(0, behind, { [`${path}:Password`]: 'new' })).toMatchObject({ number: 0, password: 'new', proxy: null })
    expect(probeOf(0, behind, { [`${path}:Password`]: null })).toMatchObject({ number: 0, password: '', proxy: null })
    expect(probeOf(0, behind, { [`${path}:Proxy`]: null })).toMatchObject({ number: 0, password: null, proxy: '' })
    expect(probeOf(0, behind, { [`${path}:Proxy`]: 'http://other:3128' })).toMatchObject({ number: 0, password: null, proxy: 'http://other:3128' })
  })

  it('takes what is typed and not saved', () => {
    const probe = probeOf(0, saved, { [`${path}:Host`]: ' other.example.com ', [`${path}:Password`]: 'new', [`${path}:MaxConnections`]: '8' })
    expect(probe).toMatchObject({ number: null, host: 'other.example.com', password: 'new', maxConnections: 8 })
  })

  it('does not test with a password that is to be removed', () => {
    expect(probeOf(0, saved, { [`${path}:Password`]: null })).toMatchObject({ number: null, password: null })
  })

  it('takes the port that goes with TLS or its absence, unless one is set', () => {
    expect(probeOf(0, saved, { [`${path}:UseTls`]: 'false' }).port).toBe(119)
    expect(probeOf(0, saved, { [`${path}:UseTls`]: 'false', [`${path}:Port`]: '8119' }).port).toBe(8119)
  })

  it('knows the password that the environment sets', () => {
    const locked = saved.map((each) => (each.kind === 'secret' ? { ...each, source: 'environment' as const } : each))
    expect(probeOf(0, locked, {})).toMatchObject({ number: 0, password: null })
  })
})
