namespace NzbDav.Torrents.Work;

/// <summary>Work that is done off the network's threads.</summary>
internal abstract class BackgroundJob
{
    /// <summary>Does it. Must not throw.</summary>
    public abstract void Run();
}
