/** Makes something once for each locale that is asked for, and keeps it. */
export function perLocale<T>(make: (locale: string) => T): (locale: string) => T {
  const kept = new Map<string, T>()
  return (locale) => {
    const known = kept.get(locale)
    if (known !== undefined) return known
    const made = make(locale)
    kept.set(locale, made)
    return made
  }
}
