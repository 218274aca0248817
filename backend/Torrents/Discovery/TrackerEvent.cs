namespace NzbDav.Torrents.Discovery;

/// <summary>Why a tracker is told something (BEP 3).</summary>
internal enum TrackerEvent
{
    None,
    Started,
    Stopped,
    Completed,
}
