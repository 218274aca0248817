import type { SettingInfo } from './setting'

/** A setting for tests: nobody has set it. */
export function setting(path: string, part: Partial<SettingInfo> = {}): SettingInfo {
  return {
    path, kind: 'text', title: path, description: '', group: 'g', unit: null, zeroIsNoLimit: false, choices: null, advanced: false, default: null, least: null, most: null, value: null, isSet: false,
    source: 'default', environment: `NzbDav__${path.replaceAll(':', '__')}`, needsRestart: false, isPending: false, ...part,
  }
}
