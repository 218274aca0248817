using NzbDav.Host.Settings;
using NzbDav.Library.Recordings;

namespace NzbDav.Host.Recording;

/// <summary>Records streams to the folder in the settings, if one is set. Changes of the settings take effect within five seconds.</summary>
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

        // Write the last seconds, and the line that marks the recording as complete.
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

    /// <summary>Logs each reason once: recording is retried every five seconds.</summary>
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
