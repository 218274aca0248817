import { IconChartDots, IconPlayerTrackNext, IconKeyboard, IconMaximize, IconMinimize, IconPictureInPicture, IconPlayerPauseFilled, IconPlayerPlayFilled, IconPlayerSkipBackFilled, IconPlayerSkipForwardFilled, IconVolume, IconVolumeOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { FileDetails } from '~/api/types'
import { useFormat } from '~/ui/format/useFormat'
import { useText } from '~/ui/text/catalogue'
import type { Controls } from '../screen/useControls'
import type { useSubtitles } from '../screen/useSubtitles'
import type { VideoState } from '../screen/useVideoState'
import { text } from '../text'
import classes from './bar.module.css'
import { SeekBar } from './SeekBar'
import { SpeedMenu } from './SpeedMenu'
import { SubtitleMenu } from './SubtitleMenu'

type ButtonProps = { label: string; keys?: string; pressed?: boolean; wide?: boolean; onClick: () => void; children: ReactNode }

function BarButton({ label, keys, pressed, wide, onClick, children }: ButtonProps) {
  return (
    <button type="button" className={wide === true ? `${classes.button} ${classes.wide}` : classes.button} aria-label={label} aria-keyshortcuts={keys} aria-pressed={pressed} onClick={onClick}
      title={keys === undefined ? label : `${label} (${keys})`}>
      {children}
    </button>
  )
}

type Props = {
  file: FileDetails; state: VideoState; controls: Controls; subtitles: ReturnType<typeof useSubtitles>; full: boolean; hidden: boolean; onNext: (() => void) | null; onPrevious: (() => void) | null
}

/**
 * The controls. Our own, not the browser's: those differ in what they can be reached by and take arrow keys twice, know no next file and no offset of subtitles, and speak
 * the language of the browser rather than the page's.
 */
export function ControlBar({ file, state, controls, subtitles, full, hidden, onNext, onPrevious }: Props) {
  const t = useText(text)
  const format = useFormat()
  const { run } = controls
  const Icon = state.paused ? IconPlayerPlayFilled : IconPlayerPauseFilled
  const Sound = state.muted || state.volume === 0 ? IconVolumeOff : IconVolume
  const picture = file.contentType?.startsWith('audio/') !== true
  return (
    <div className={classes.bar} data-hidden={hidden || undefined} role="group" aria-label={t.stage(file.name)}>
      <SeekBar state={state} onSeek={controls.seek} />
      <div className={classes.row}>
        {onPrevious !== null && <BarButton label={t.previous} keys="P" onClick={onPrevious}><IconPlayerSkipBackFilled size={20} aria-hidden /></BarButton>}
        <BarButton label={state.paused ? t.play : t.pause} keys="K" onClick={controls.toggle}><Icon size={24} aria-hidden /></BarButton>
        {onNext !== null && <BarButton label={t.next} keys="N" onClick={onNext}><IconPlayerSkipForwardFilled size={20} aria-hidden /></BarButton>}
        <BarButton label={state.muted ? t.unmute : t.mute} keys="M" onClick={() => run({ do: 'mute' })}><Sound size={22} aria-hidden /></BarButton>
        <div className={classes.volume}>
          <div className={classes.track} aria-hidden><span className={classes.played} style={{ width: `${state.muted ? 0 : state.volume * 100}%` }} /></div>
          <input type="range" className={classes.range} min={0} max={1} step={0.05} value={state.muted ? 0 : state.volume} aria-label={t.volume} aria-valuetext={format.percent(state.muted ? 0 : state.volume)}
            onChange={(event) => controls.setVolume(Number(event.currentTarget.value))} />
        </div>
        <span className={classes.time}>{format.clock(state.time)} / {Number.isFinite(state.duration) ? format.clock(state.duration) : '–'}</span>
        <span className={classes.fill} />
        {file.subtitles.length > 0 && <SubtitleMenu all={file.subtitles} shown={subtitles.shown} onShow={subtitles.show} shift={subtitles.shift} onShift={(by) => run({ do: 'shift', by })} />}
        <SpeedMenu speed={state.speed} onSpeed={controls.setSpeed} />
        {onNext !== null && <BarButton label={t.autoplay} keys="A" pressed={controls.autoplay} onClick={() => run({ do: 'autoplay' })}><IconPlayerTrackNext size={20} aria-hidden /></BarButton>}
        <BarButton label={t.overlay} keys="I" pressed={controls.overlay} onClick={() => run({ do: 'overlay' })}><IconChartDots size={20} aria-hidden /></BarButton>
        <BarButton label={t.help} keys="?" wide onClick={() => run({ do: 'help' })}><IconKeyboard size={22} aria-hidden /></BarButton>
        {picture && document.pictureInPictureEnabled && <BarButton label={t.pip} wide onClick={() => run({ do: 'pip' })}><IconPictureInPicture size={20} aria-hidden /></BarButton>}
        {picture && <BarButton label={full ? t.leaveFullscreen : t.fullscreen} keys="F" onClick={() => run({ do: 'fullscreen' })}>{full ? <IconMinimize size={20} aria-hidden /> : <IconMaximize size={20} aria-hidden />}</BarButton>}
      </div>
    </div>
  )
}
