namespace NzbDav.Torrents.Work;

/// <summary>A job that calls a method of its owner.</summary>
/// <param name="run">Must not throw.</param>
internal sealed class ActionJob(Action run) : BackgroundJob
{
    public override void Run() => run();
}
