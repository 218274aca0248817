namespace NzbDav.Content;

/// <summary>The states of a <see cref="ReadAheadWindow"/>, which draws what moves between them.</summary>
public enum ReadAheadPhase
{
    /// <summary>Opened or resumed a moment ago: the window is narrow, since a player may read the first MiB and jump elsewhere.</summary>
    Trial,

    /// <summary>Everything requested has arrived before the reader needed it. The window stays narrow.</summary>
    Covered,

    /// <summary>The reader has waited for a segment and read on. The window widens by each segment taken, until everything requested has arrived once.</summary>
    Widening,

    /// <summary>Everything requested has arrived once since the window was widened. It widens further only while the reader is starved.</summary>
    Steady,
}
