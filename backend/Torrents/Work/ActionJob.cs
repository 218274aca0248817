namespace NzbDav.Torrents.Work;

/// <summary>A job that does one thing with one object.</summary>
/// <param name="run">Must not throw.</param>
/// <param name="target">Argument of the call.</param>
internal sealed class ActionJob<T>(Action<T> run, T target) : BackgroundJob
{
    public override void Run() => run(target);
}
