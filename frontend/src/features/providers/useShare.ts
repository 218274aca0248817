import { useMemo } from 'react'
import { useLanguage } from '~/ui/text/language'

/** Writes shares of 0…1 with a tenth of a per cent: between providers the tenths matter. Unknown ones are a dash. */
export function useShare(): (share: number | null) => string {
  const { locale } = useLanguage()
  return useMemo(() => {
    const format = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })
    return (share) => (share === null ? '–' : format.format(share))
  }, [locale])
}
