import { describe, expect, it } from 'vitest'
import { command, kindOf, type Pressed } from './commands'

const press = (key: string, over: Partial<Pressed> = {}) => command({ key, ctrlKey: false, metaKey: false, altKey: false, on: 'other', ...over })

describe('keys of the player', () => {
  it.each([
    [' ', { do: 'toggle' }], ['k', { do: 'toggle' }], ['K', { do: 'toggle' }],
    ['j', { do: 'skip', by: -10 }], ['l', { do: 'skip', by: 10 }], ['ArrowLeft', { do: 'skip', by: -5 }], ['ArrowRight', { do: 'skip', by: 5 }],
    ['ArrowUp', { do: 'volume', by: 0.05 }], ['f', { do: 'fullscreen' }], ['m', { do: 'mute' }], ['n', { do: 'next' }], ['p', { do: 'previous' }], ['c', { do: 'captions' }],
    [',', { do: 'frame', by: -1 }], ['.', { do: 'frame', by: 1 }], ['0', { do: 'share', to: 0 }], ['7', { do: 'share', to: 0.7 }],
    ['g', { do: 'shift', by: -0.1 }], ['h', { do: 'shift', by: 0.1 }], ['i', { do: 'overlay' }], ['a', { do: 'autoplay' }], ['?', { do: 'help' }],
  ])('%s', (key, expected) => {
    expect(press(key)).toEqual(expected)
  })

  it('leave the browser its own', () => {
    expect(press('f', { ctrlKey: true })).toBeNull()
    expect(press('l', { metaKey: true })).toBeNull()
    expect(press('ArrowLeft', { altKey: true })).toBeNull()
    expect(press('x')).toBeNull()
  })

  it('leave the element that has the focus its own', () => {
    expect(press(' ', { on: 'button' })).toBeNull()
    expect(press('f', { on: 'button' })).toEqual({ do: 'fullscreen' })
    expect(press('ArrowLeft', { on: 'slider' })).toBeNull()
    expect(press(' ', { on: 'slider' })).toEqual({ do: 'toggle' })
    expect(press('f', { on: 'text' })).toBeNull()
  })
})

describe('kindOf', () => {
  it('tells elements apart', () => {
    document.body.innerHTML = '<input id="t"><input id="r" type="range"><button id="b"></button><div role="menu"><button id="m"></button></div><p id="p"></p>'
    const of = (id: string) => kindOf(document.getElementById(id))
    expect(['t', 'r', 'b', 'm', 'p'].map(of)).toEqual(['text', 'slider', 'button', 'text', 'other'])
    expect(kindOf(null)).toBe('other')
  })
})
