using System.Security.Cryptography;
using Microsoft.Extensions.Logging.Abstractions;
using NzbDav.Catalog;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Library.Pins;

namespace NzbDav.Library.Tests.Pins;

/// <summary>A store of pins in a folder of its own, on a clock that a test moves.</summary>
internal sealed class PinFixture : IDisposable
{
    public const int MiB = 1 << 20;

    public PinFixture(long limit = 64 * MiB)
    {
        Store = Open(limit);
    }

    public string Folder { get; } = Path.Combine(Directory.CreateTempSubdirectory("nzbdav-pins-").FullName, "starts");

    public ManualTimeProvider Time { get; } = new();

    public PinStore Store { get; }

    public string[] Files => Directory.Exists(Folder) ? Directory.GetFiles(Folder) : [];

    /// <summary>The store of a process that begins now, not loaded yet.</summary>
    public PinStore Open(long limit = 64 * MiB) => new(Folder, limit, Time, NullLogger<PinStore>.Instance);

    public static PinKey KeyOf(long item, long length, string map = "map") => new(item, BlobHash.Of(SHA256.HashData(System.Text.Encoding.UTF8.GetBytes(map))), length);

    /// <summary>Pins ranges of a film.</summary>
    public static bool Pin(PinStore store, PinKey key, byte[] film, params PinRange[] ranges)
    {
        using var writer = store.Begin(key, ranges);
        if (writer is null)
            return false;
        foreach (var range in ranges)
        {
            // In uneven pieces, as leases come.
            for (var at = range.Start; at < range.End; at += 50_001)
                writer.Append(film.AsSpan((int)at, (int)Math.Min(50_001, range.End - at)));
        }

        return writer.Keep();
    }

    /// <summary>A content of which the store may have something.</summary>
    public static IContent Over(PinStore store, IContent inner, PinKey key) => new PinnedContent(inner, key with { Length = inner.Length }, store);

    public static async Task<byte[]> ReadAsync(IContent content, long start, long end, ReadIntent intent = ReadIntent.Playback)
    {
        var bytes = new List<byte>();
        await using var reader = content.OpenReader(start, end, intent);
        while (true)
        {
            using var lease = await reader.NextAsync(CancellationToken.None).AsTask().WaitAsync(TimeSpan.FromSeconds(60));
            if (lease.IsEmpty)
                return [.. bytes];
            bytes.AddRange(lease.Memory.Span);
        }
    }

    public void Dispose() => Directory.Delete(Path.GetDirectoryName(Folder)!, recursive: true);
}
