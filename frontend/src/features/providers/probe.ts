import type { ProviderTest } from '~/api/types'
import { valueOf, type Draft } from '~/ui/setting/draft'
import { isLocked, type SettingInfo } from '~/ui/setting/setting'

/** The test of a provider's values as the form shows them. Saved secrets, the password and the proxy, are not known here: the server takes them by the provider's number. */
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
  const proxy = find('Proxy')
  const typedProxy = proxy === undefined ? undefined : draft[proxy.path]
  // Removing a saved secret leaves none to test with.
  const isKept = (setting: SettingInfo | undefined, typed: string | null | undefined) => setting !== undefined && (setting.isSet || isLocked(setting)) && typed === undefined
  const saved = isKept(password, typed) || isKept(proxy, typedProxy)
  return {
    number: saved ? number : null,
    host: value('Host')?.trim() ?? '',
    port: given === null ? (useTls ? 563 : 119) : Number(given),
    useTls,
    verifyCertificate: value('VerifyCertificate')?.toLowerCase() !== 'false',
    username: value('Username'),
    // Null lets the server take the saved one, as it knows the provider for its proxy.
    password: typed ?? (typed === null && saved ? '' : null),
    proxy: typedProxy === undefined ? null : typedProxy ?? '',
    maxConnections: Number(value('MaxConnections') ?? 20),
  }
}
