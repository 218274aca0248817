using Microsoft.Extensions.Options;
using NzbDav.Host.Settings;
using NzbDav.Library;
using NzbDav.Mount;
using NzbDav.Mount.Protocol;
using NzbDav.WebDav.Requests;
using NzbDav.WebDav.Streams;

namespace NzbDav.Host.Serving;

/// <summary>
/// Mounts the tree when the server has started, and again when the mount ends by itself; unmounts it when the server stops. A failure costs
/// the mount alone.
/// </summary>
internal sealed partial class MountKeeper(
    SettingsBook book, LibraryStore store, ActiveStreams streams, IOptions<WebDavOptions> dav, TimeProvider time,
    ILogger<MountServer> logger) : IHostedService, IDisposable
{
    /// <summary>Pause before the next attempt. Doubled each time, until a mount has lasted.</summary>
    private static readonly TimeSpan FirstPause = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan LongestPause = TimeSpan.FromSeconds(10);

    private readonly CancellationTokenSource _stopping = new();
    private Task _work = Task.CompletedTask;

    /// <summary>Why there is no mount although one is wanted; null: there is one, or none is wanted.</summary>
    public string? Failure { get; private set; }

    /// <summary>The mount and what is wrong with it; null: none is wanted.</summary>
    public MountStateBody? State =>
        book.Current is { Mount.IsWanted: true } settings ? new(settings.Mount.Path ?? settings.WebDavMountPath, Failure) : null;

    public Task StartAsync(CancellationToken cancellationToken)
    {
        // The first mount is there when this returns, unless the helper has to make it.
        if (book.Current.Mount is { IsWanted: true } options)
        {
            Failure = "It is not mounted yet.";
            _work = KeepAsync(options, _stopping.Token);
        }

        return Task.CompletedTask;
    }

    public async Task StopAsync(CancellationToken cancellationToken)
    {
        await _stopping.CancelAsync();
        await _work;
    }

    public void Dispose() => _stopping.Dispose();

    private async Task KeepAsync(MountOptions options, CancellationToken stopping)
    {
        var pause = FirstPause;
        try
        {
            while (true)
            {
                var begun = time.GetTimestamp();
                await ServeAsync(options, stopping);
                if (time.GetElapsedTime(begun) > LongestPause)
                    pause = FirstPause;
                await Task.Delay(pause, time, stopping);
                pause = TimeSpan.FromTicks(Math.Min(LongestPause.Ticks, pause.Ticks * 2));
            }
        }
        catch (OperationCanceledException) when (stopping.IsCancellationRequested)
        {
        }
    }

    /// <summary>From mounting to the end of the mount.</summary>
    private async Task ServeAsync(MountOptions options, CancellationToken stopping)
    {
        try
        {
            await using var mount = options.Socket is null
                ? MountServer.Start(store, options, time, dav.Value.FirstByteTimeout, streams, logger)
                : await MountServer.ConnectAsync(store, options, time, dav.Value.FirstByteTimeout, streams, logger, stopping);
            Failure = null;
            await mount.Ended.WaitAsync(stopping);
            Failure = "It was unmounted, or the helper has gone.";
            LogEnded(logger, options.Socket ?? options.Path);
        }
        catch (Exception e) when (e is MountException or IOException or UnauthorizedAccessException)
        {
            if (Failure != e.Message)
                LogFailed(logger, e.Message);
            Failure = e.Message;
        }
    }

    [LoggerMessage(1830, LogLevel.Error, "There is no mount, and it is tried again every few seconds. {Reason}")]
    private static partial void LogFailed(ILogger logger, string reason);

    [LoggerMessage(1831, LogLevel.Warning, "The mount {Mount} has ended: it was unmounted, or the helper has gone. It is mounted again.")]
    private static partial void LogEnded(ILogger logger, string? mount);
}

/// <summary>The server's own mount.</summary>
/// <param name="Path">Where programs see it.</param>
/// <param name="Reason">Why it is not there, as text; null: it is.</param>
internal sealed record MountStateBody(string Path, string? Reason);
