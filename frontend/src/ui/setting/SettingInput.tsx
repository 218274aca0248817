import { NumberInput, Select, Switch, TagsInput, TextInput } from '@mantine/core'
import { useText } from '../text/catalogue'
import { SecretInput } from './SecretInput'
import { isLocked, listOf, listValue, type SettingInfo } from './setting'
import { text } from './text'
import { useShown } from './useShown'

type Props = { setting: SettingInfo; value: string | null; change: string | null | undefined; error: string | null; describedBy: string; onChange: (value: string | null) => void; onForget: () => void }

/** The control of one setting, by what its value is. */
export function SettingInput({ setting, value, change, error, describedBy, onChange, onForget }: Props) {
  const t = useText(text)
  const shown = useShown()
  const common = { 'aria-label': setting.title, 'aria-describedby': describedBy, disabled: isLocked(setting), error: error ?? false, 'data-setting': setting.path } as const
  switch (setting.kind) {
    case 'flag':
      return <Switch {...common} checked={value?.toLowerCase() === 'true'} onChange={(event) => onChange(event.currentTarget.checked ? 'true' : 'false')} />
    case 'number':
      return (
        // An empty field is no limit, where 0 means that.
        <NumberInput {...common} value={value === null || (setting.zeroIsNoLimit && Number(value) === 0) ? '' : value} placeholder={setting.zeroIsNoLimit ? t.noLimit : undefined} min={setting.least ?? undefined} max={setting.most ?? undefined} allowDecimal={false} allowNegative={(setting.least ?? 0) < 0}
          clampBehavior="none" maw={220} suffix={shown.unit(setting.unit, value)} onChange={(next) => onChange(next === '' && setting.zeroIsNoLimit ? '0' : String(next))} />
      )
    case 'list':
      return <TagsInput {...common} value={listOf(value)} placeholder={listOf(value).length === 0 ? t.addItem : undefined} splitChars={[',']} acceptValueOnBlur onChange={(items) => onChange(listValue(items))} />
    case 'choice':
      return (
        <Select {...common} maw={320} allowDeselect={false} checkIconPosition="right" data={(setting.choices ?? []).map((choice) => ({ value: choice.value, label: choice.title }))}
          value={setting.choices?.find((choice) => choice.value.toLowerCase() === value?.toLowerCase())?.value ?? null} onChange={(next) => onChange(next)} />
      )
    case 'secret':
      return <SecretInput setting={setting} change={change} error={error} describedBy={describedBy} onChange={onChange} onForget={onForget} />
    default:
      return <TextInput {...common} value={value ?? ''} autoComplete="off" spellCheck={false} onChange={(event) => onChange(event.currentTarget.value)} />
  }
}
