using System.Security.Cryptography;
using Microsoft.Extensions.Logging.Abstractions;
using NzbDav.Catalog.Blobs;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Library.Pins;

namespace NzbDav.Library.Tests.Pins;

/// <summary>A pin store in a temporary folder, on a clock that the test moves.</summary>
internal sealed class PinFixture : IDisposable
{
    public const int MiB = 1 << 20;

    private readonly List<PinStore> _stores = [];

    public PinFixture(long limit = 64 * MiB)
    {
        Store = Open(limit);
    }

    public string Folder { get; } = Path.Combine(Directory.CreateTempSubdirectory("nzbdav-pins-").FullName, "starts");

    public ManualTimeProvider Time { get; } = new();

    public PinStore Store { get; }

    /// <summary>The files, once what the stores had to do with them is done.</summary>
    public string[] Files
    {
        get
        {
            Settle();
            return Directory.Exists(Folder) ? Directory.GetFiles(Folder) : [];
        }
    }

    /// <summary>The store of a newly started process, not loaded yet.</summary>
    public PinStore Open(long limit = 64 * MiB)
    {
        Settle();
        var store = new PinStore(Folder, limit, Time, NullLogger<PinStore>.Instance);
        _stores.Add(store);
        return store;
    }

    private void Settle() =>
        Assert.True(SpinWait.SpinUntil(() => _stores.TrueForAll(static store => store.Disk.IsIdle), TimeSpan.FromSeconds(30)));

    public static PinKey KeyOf(long item, long length, string map = "map") =>
        new(item, BlobHash.Of(SHA256.HashData(System.Text.Encoding.UTF8.GetBytes(map))), length);

    /// <summary>Pins ranges of a film.</summary>
    public static bool Pin(PinStore store, PinKey key, byte[] film, params ByteSpan[] ranges)
    {
        using var writer = store.Begin(key, ranges);
        if (writer is null)
            return false;
        foreach (var range in ranges)
        {
            // In uneven pieces, as leases arrive.
            for (var at = range.Start; at < range.End; at += 50_001)
                writer.Append(film.AsSpan((int)at, (int)Math.Min(50_001, range.End - at)));
        }

        return writer.Keep();
    }

    /// <summary>A content of which the store may hold a part.</summary>
    public static IContent Over(PinStore store, IContent inner, PinKey key) =>
        new PinnedContent(inner, key with { Length = inner.Length }, store);

    public void Dispose()
    {
        Settle();
        _stores.ForEach(static store => store.Dispose());
        Directory.Delete(Path.GetDirectoryName(Folder)!, recursive: true);
    }
}
