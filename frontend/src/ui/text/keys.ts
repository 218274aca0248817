import { systemOf } from '../players/system'

/** A text in which the keys are named as on this system: Apple's have ⌘ in place of Ctrl. */
export function inKeys(text: string, isApple = ['mac', 'ios'].includes(systemOf(navigator.userAgent, navigator.maxTouchPoints))): string {
  return isApple ? text.replace(/\b(?:Ctrl|Strg)\b\+?/g, '⌘') : text
}
