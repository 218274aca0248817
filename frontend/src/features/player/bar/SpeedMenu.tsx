import { Menu } from '@mantine/core'
import { useFormat } from '~/ui/format/useFormat'
import { useText } from '~/ui/text/catalogue'
import { Speeds } from '../screen/useControls'
import { text } from '../text'
import classes from './bar.module.css'

type Props = { speed: number; onSpeed: (speed: number) => void }

/** How fast it plays. */
export function SpeedMenu({ speed, onSpeed }: Props) {
  const t = useText(text)
  const format = useFormat()
  return (
    <Menu position="top-end" withinPortal={false} width={140}>
      <Menu.Target>
        <button type="button" className={`${classes.button} ${classes.wide}`} aria-label={`${t.speed}: ${format.number(speed)}×`} title={t.speed}>{format.number(speed)}×</button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.RadioGroup value={String(speed)} onChange={(chosen) => onSpeed(Number(chosen))} aria-label={t.speed}>
          {Speeds.map((one) => <Menu.RadioItem key={one} value={String(one)} closeMenuOnClick>{format.number(one)}×</Menu.RadioItem>)}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  )
}
