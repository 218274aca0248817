import type { ProviderTest } from '~/api/types'
import { valueOf, type Draft } from '~/ui/setting/draft'
import { isLocked, type SettingInfo } from '~/ui/setting/setting'

/** The test of a provider's values as the form shows them. A saved password is not known here: the server takes it by the provider's number. */
export function probeOf(number: number, settings: readonly SettingInfo[], draft: Draft): ProviderTest {
  const find = (name: string) => settings.find((setting) => setting.path.endsWith(`:${name}`))
  const value = (name: string) => {
    const setting = find(name)
    return setting === undefined ? null : valueOf(setting, draft)
  }
  const password = find('Password')
  const typed = password === undefined ? undefined : draft[password.path]
  const useTls = value('UseTls')?.toLowerCase() !== 'false'
  const port = find('Port')
  const given = port === undefined || (!port.isSet && draft[port.path] == null) ? null : value('Port')
  // Removing the saved password leaves none to test with.
  const saved = password !== undefined && (password.isSet || isLocked(password)) && typed === undefined
  return {
    number: saved ? number : null,
    host: value('Host')?.trim() ?? '',
    port: given === null ? (useTls ? 563 : 119) : Number(given),
    useTls,
    verifyCertificate: value('VerifyCertificate')?.toLowerCase() !== 'false',
    username: value('Username'),
    password: typed ?? null,
    maxConnections: Number(value('MaxConnections') ?? 20),
  }
}
