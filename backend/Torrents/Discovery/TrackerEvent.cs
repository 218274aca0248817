namespace NzbDav.Torrents.Discovery;

/// <summary>The event of an announce (BEP 3).</summary>
internal enum TrackerEvent
{
    None,
    Started,
    Stopped,
    Completed,
}
