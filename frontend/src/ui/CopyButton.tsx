import { Button, type ButtonProps } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { copy } from './copy'
import { text } from './state/text'
import { useText } from './text/catalogue'
import { inKeys } from './text/keys'

type Props = ButtonProps & { value: string; label?: string }

/** Copies a text and says so for two seconds; keeps its width meanwhile. */
export function CopyButton({ value, label, ...rest }: Props) {
  const t = useText(text)
  const [state, setState] = useState<'idle' | 'done' | 'refused'>('idle')
  useEffect(() => {
    if (state === 'idle') return undefined
    const timer = setTimeout(() => setState('idle'), 2000)
    return () => clearTimeout(timer)
  }, [state])
  return (
    <Button variant="default" size="compact-sm" leftSection={state === 'done' ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
      onClick={() => void copy(value).then((done) => setState(done ? 'done' : 'refused'))} {...rest}>
      <span aria-live="polite">{state === 'idle' ? label ?? t.copy : state === 'done' ? t.copied : inKeys(t.copyFailed)}</span>
    </Button>
  )
}
