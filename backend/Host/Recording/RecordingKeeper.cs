using NzbDav.Host.Settings;
using NzbDav.Library.Recordings;

namespace NzbDav.Host.Recording;

/// <summary>Records streams to the folder of the settings, as long as there is one. A change of the settings holds within five seconds.</summary>
internal sealed partial class RecordingKeeper(StreamRecorder recorder, SettingsBook settings, TimeProvider time, ILogger<RecordingKeeper> logger) : BackgroundService
{
    private static readonly TimeSpan Every = TimeSpan.FromSeconds(5);

    private string? _told;

    /// <inheritdoc/>
    protected override async Task ExecuteAsync(CancellationToken stoppingToken)
    {
        using var timer = new PeriodicTimer(Every, time);
        try
        {
            while (await timer.WaitForNextTickAsync(stoppingToken))
                await RecordAsync();
        }
        catch (OperationCanceledException)
        {
        }

        // What the last seconds brought, and the line that says that nothing is missing.
        await RecordAsync();
        Try(recorder.Close);
    }

    private async Task RecordAsync()
    {
        var (folder, bound) = (settings.Current.RecordTo, (long)settings.Current.RecordMiB << 20);
        if (folder is null)
        {
            if (recorder.File is not null)
                Try(recorder.Close);
            recorder.Skip();
            return;
        }

        try
        {
            await recorder.WriteAsync(folder, bound, CancellationToken.None);
            _told = null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            Tell(e);
        }
    }

    private void Try(Action action)
    {
        try
        {
            action();
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            Tell(e);
        }
    }

    /// <summary>Once for each reason: it is tried again every five seconds.</summary>
    private void Tell(Exception e)
    {
        if (_told == e.Message)
            return;
        _told = e.Message;
        LogTrouble(logger, e.Message);
    }

    [LoggerMessage(275, LogLevel.Warning, "Streams cannot be recorded (NzbDav:Streams:RecordTo): {Reason}")]
    private static partial void LogTrouble(ILogger logger, string reason);
}
