using System.Diagnostics;
using NzbDav.Catalog;

namespace NzbDav.Host.Guide;

/// <summary>Remembers that somebody once read a file, for whoever sets a server up. Thread-safe.</summary>
internal sealed class PlayedMark(SettingStore settings) : IHostedService, IDisposable
{
    private const string Key = "guide.played";
    private const string SourceName = "NzbDav.WebDav";

    private ActivityListener? _listener;
    private int _played;

    /// <summary>True once bytes of a file were sent to somebody, in this life of the server or an earlier one.</summary>
    public bool IsSet => Volatile.Read(ref _played) != 0;

    public async Task StartAsync(CancellationToken cancellationToken)
    {
        if (await settings.GetAsync(Key, cancellationToken) is not null)
        {
            _played = 1;
            return;
        }

        _listener = new ActivityListener
        {
            ShouldListenTo = static source => source.Name == SourceName,
            Sample = static (ref _) => ActivitySamplingResult.AllData,
            ActivityStopped = OnRead,
        };
        ActivitySource.AddActivityListener(_listener);
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public void Dispose() => _listener?.Dispose();

    private void OnRead(Activity activity)
    {
        if (activity.GetTagItem("nzbdav.sent") is long and > 0 && Interlocked.Exchange(ref _played, 1) == 0)
            _ = KeepAsync();
    }

    private async Task KeepAsync()
    {
        try
        {
            await settings.SetAsync(Key, "1", CancellationToken.None);
        }
        catch (CatalogException)
        {
            // It is true for this life of the server; the next reader of the next one sets it again.
        }
    }
}
