using NzbDav.Catalog.Maps;
using NzbDav.Catalog.Tree;
using NzbDav.Content.Recording;
using NzbDav.Host.About;
using NzbDav.Host.Settings;
using NzbDav.Library.Recordings;
using NzbDav.Usenet;

namespace NzbDav.Host.Telemetry;

/// <summary>
/// Records streams to the folder in the settings, if one is set. Changes of the settings take effect within five seconds.
/// </summary>
internal sealed partial class RecordingKeeper(
    StreamRecorder recorder, SettingsBook settings, TimeProvider time, ILogger<RecordingKeeper> logger) : BackgroundService
{
    private static readonly TimeSpan Every = TimeSpan.FromSeconds(5);

    private string? _logged;

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
            _logged = null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            LogOnce(e);
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
            LogOnce(e);
        }
    }

    /// <summary>Logs each reason once: recording is retried every five seconds.</summary>
    private void LogOnce(Exception e)
    {
        if (_logged == e.Message)
            return;
        _logged = e.Message;
        LogTrouble(logger, e.Message);
    }

    [LoggerMessage(275, LogLevel.Warning, "Streams cannot be recorded (NzbDav:Streams:RecordTo): {Reason}")]
    private static partial void LogTrouble(ILogger logger, string reason);
}

/// <summary>Registers the services that record streams.</summary>
internal static class RecordingSetup
{
    public static void AddRecordings(this IServiceCollection services)
    {
        services.AddSingleton(provider => new Timeline(provider.GetRequiredService<TimeProvider>()));
        services.AddSingleton(provider => new RecordingSource(
            provider.GetRequiredService<Timeline>(), provider.GetRequiredService<UsenetClient>(), provider.GetRequiredService<TreeStore>(),
            provider.GetRequiredService<ExtentMapStore>()));
        services.AddSingleton(provider => new Recordings(provider.GetRequiredService<RecordingSource>(), Build.Version));
        services.AddSingleton(provider => new StreamRecorder(provider.GetRequiredService<RecordingSource>(), Build.Version));
        services.AddHostedService<RecordingKeeper>();
    }
}
