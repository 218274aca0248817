namespace NzbDav.Content;

/// <summary>A segment that a reader has requested.</summary>
/// <param name="Extent">Where its bytes are in the file.</param>
/// <param name="Flight">Held until the slot is closed.</param>
internal readonly record struct Slot(Extent Extent, SegmentFlight Flight);
