/** Copies a text; false if the browser does not let us. The clipboard's interface is missing on plain HTTP, so an old way stands behind it. */
export async function copy(value: string): Promise<boolean> {
  const clipboard = (navigator as { clipboard?: Clipboard }).clipboard
  if (clipboard !== undefined) {
    try {
      await clipboard.writeText(value)
      return true
    } catch {
      // Refused: the old way may still work.
    }
  }

  const area = document.createElement('textarea')
  area.value = value
  area.readOnly = true
  area.style.position = 'fixed'
  area.style.opacity = '0'
  const focused = document.activeElement
  document.body.append(area)
  area.select()
  try {
    // Deprecated, and the only way without HTTPS.
    // eslint-disable-next-line @typescript-eslint/no-deprecated
    return document.execCommand('copy')
  } finally {
    area.remove()
    if (focused instanceof HTMLElement) focused.focus()
  }
}
