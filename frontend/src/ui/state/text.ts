import { defineText } from '../text/catalogue'

export const text = defineText(
  { retry: 'Try again', copy: 'Copy', copied: 'Copied', loading: 'Loading', copyFailed: 'Select the text and press Ctrl+C.', confirm: 'Confirm', cancel: 'Cancel' },
  { retry: 'Erneut versuchen', copy: 'Kopieren', copied: 'Kopiert', loading: 'Wird geladen', copyFailed: 'Den Text markieren und Strg+C drücken.', confirm: 'Bestätigen', cancel: 'Abbrechen' },
)
