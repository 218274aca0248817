import { useMemo } from 'react'
import { useText } from '../text/catalogue'
import { useLanguage } from '../text/language'
import { listOf, type SettingInfo } from './setting'
import { text } from './text'

/** How values of settings are written for people. */
export function useShown() {
  const t = useText(text)
  const { locale } = useLanguage()
  return useMemo(() => {
    const number = (value: number | null) => (value === null ? '' : value.toLocaleString(locale))
    /** The unit behind a number, with the space before it. */
    const unit = (unit: string | null | undefined, value: string | null) => (unit == null ? '' : `\u00a0${value === '1' ? t.one[unit] ?? unit : unit}`)
    const value = (setting: Pick<SettingInfo, 'kind'> & Partial<Pick<SettingInfo, 'unit' | 'choices' | 'zeroIsNoLimit'>>, what: string | null): string => {
      if (setting.kind === 'secret') return t.secret
      if (what === null || what === '') return t.noDefault
      if (setting.kind === 'flag') return what.toLowerCase() === 'true' ? t.on : t.off
      if (setting.kind === 'list') return listOf(what).join(', ') || t.empty
      if (setting.kind === 'choice') return setting.choices?.find((choice) => choice.value.toLowerCase() === what.toLowerCase())?.title ?? what
      if (setting.zeroIsNoLimit === true && Number(what) === 0) return t.noLimit
      if (setting.kind === 'number' && Number.isFinite(Number(what))) return number(Number(what)) + unit(setting.unit, what)
      return what
    }
    return { number, unit, value }
  }, [t, locale])
}
