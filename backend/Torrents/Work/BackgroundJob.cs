namespace NzbDav.Torrents.Work;

/// <summary>Work for threads other than those of the network.</summary>
internal abstract class BackgroundJob
{
    /// <summary>Does the work. Must not throw.</summary>
    public abstract void Run();
}
