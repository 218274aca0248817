using NzbDav.Catalog.Database;
using NzbDav.Catalog.Settings;
using NzbDav.WebDav.Streams;

namespace NzbDav.Host.Guide;

/// <summary>Remembers, for the setup guide, that a file has been read. Thread-safe.</summary>
internal sealed class PlayedMark(SettingStore settings, ActiveStreams streams) : IHostedService
{
    private const string Key = "guide.played";

    private int _played;

    /// <summary>True once bytes of a published file were sent, since this start or earlier. Updated within a second.</summary>
    public bool IsSet => Volatile.Read(ref _played) != 0;

    public async Task StartAsync(CancellationToken cancellationToken)
    {
        if (await settings.GetAsync(Key, cancellationToken) is not null)
            _played = 1;
        else
            streams.Changed += CheckStreams;
    }

    public Task StopAsync(CancellationToken cancellationToken)
    {
        streams.Changed -= CheckStreams;
        return Task.CompletedTask;
    }

    private void CheckStreams()
    {
        if (!streams.List().Any(stream => stream.Sent > 0) || Interlocked.Exchange(ref _played, 1) != 0)
            return;
        streams.Changed -= CheckStreams;
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
            // It cannot be stored. It stays true until the server stops; the first reader after the next start sets it again.
        }
    }
}
