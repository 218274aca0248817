/** What a key asks of the player. Times in seconds. */
export type Command =
  | { do: 'toggle' | 'fullscreen' | 'mute' | 'next' | 'previous' | 'captions' | 'overlay' | 'help' | 'pip' | 'autoplay' }
  | { do: 'skip'; by: number }
  | { do: 'frame'; by: 1 | -1 }
  | { do: 'volume'; by: number }
  | { do: 'speed'; by: 1 | -1 }
  | { do: 'share'; to: number } // of the film
  | { do: 'shift'; by: number } // of the subtitles

/** What is pressed, and on what kind of element. */
export type Pressed = { key: string; ctrlKey: boolean; metaKey: boolean; altKey: boolean; on: 'text' | 'slider' | 'button' | 'other' }

const table: Record<string, Command> = {
  ' ': { do: 'toggle' }, k: { do: 'toggle' },
  j: { do: 'skip', by: -10 }, l: { do: 'skip', by: 10 }, arrowleft: { do: 'skip', by: -5 }, arrowright: { do: 'skip', by: 5 },
  pageup: { do: 'skip', by: 60 }, pagedown: { do: 'skip', by: -60 },
  arrowup: { do: 'volume', by: 0.05 }, arrowdown: { do: 'volume', by: -0.05 },
  f: { do: 'fullscreen' }, m: { do: 'mute' }, n: { do: 'next' }, p: { do: 'previous' }, c: { do: 'captions' }, i: { do: 'overlay' }, a: { do: 'autoplay' }, '?': { do: 'help' },
  ',': { do: 'frame', by: -1 }, '.': { do: 'frame', by: 1 }, '<': { do: 'speed', by: -1 }, '>': { do: 'speed', by: 1 },
  g: { do: 'shift', by: -0.1 }, h: { do: 'shift', by: 0.1 },
  home: { do: 'share', to: 0 }, end: { do: 'share', to: 1 },
}

const ofSliders = new Set(['arrowleft', 'arrowright', 'arrowup', 'arrowdown', 'home', 'end', 'pageup', 'pagedown'])

/** The command of a key; null: none, or the element that has the focus needs the key itself. */
export function command({ key, ctrlKey, metaKey, altKey, on }: Pressed): Command | null {
  if (ctrlKey || metaKey || altKey || on === 'text') return null
  const name = key.toLowerCase()
  if (on === 'slider' && ofSliders.has(name)) return null
  if (on === 'button' && (name === ' ' || name === 'enter')) return null
  if (/^[0-9]$/.test(name)) return { do: 'share', to: Number(name) / 10 }
  return table[name] ?? null
}

/** What kind of element has the focus. */
export function kindOf(target: EventTarget | null): Pressed['on'] {
  if (!(target instanceof HTMLElement)) return 'other'
  if (target instanceof HTMLInputElement && target.type === 'range') return 'slider'
  if (target.getAttribute('role') === 'slider') return 'slider'
  if (target.isContentEditable || /^(input|textarea|select)$/i.test(target.tagName)) return 'text'
  // Menus and dialogues keep all keys.
  if (target.closest('[role=menu],[role=dialog]') !== null) return 'text'
  return /^(button|a|summary)$/i.test(target.tagName) ? 'button' : 'other'
}
