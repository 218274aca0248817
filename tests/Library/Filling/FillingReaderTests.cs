using System.Buffers.Binary;
using Microsoft.Extensions.Logging.Abstractions;
using NzbDav.Catalog.Tree;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Library.Filling;

namespace NzbDav.Library.Tests.Filling;

public sealed class FillingReaderTests
{
    private const int Length = 100_000;

    private static readonly ByteSpan Hole = new(20_000, 30_000);

    [Fact]
    public async Task The_wait_that_ended_at_a_hole_is_still_reported_while_it_is_filled()
    {
        var film = Film();
        var wait = new ReaderWait(2, TimeSpan.FromSeconds(2), "no provider has it. Its post has no recovery data.");
        var holed = new HoledContent(new MemoryContent(film, segmentSize: 10_000), wait);
        var content = new FillingContent(holed, new MemoryContent(film), Item(), fills: static () => true, NullLogger.Instance);
        await using var reader = content.OpenReader(0, Length, ReadIntent.Playback);
        while (reader.Position < Hole.Start)
            (await reader.NextAsync(CancellationToken.None)).Dispose();

        using var filler = await reader.NextAsync(CancellationToken.None);

        Assert.Equal(Hole.Length, filler.Length);
        Assert.Equal(Hole.Length, reader.Observe().Filler!.Bytes);
        Assert.Same(wait, reader.Observe().LastWait);
    }

    /// <summary>The bytes of a stored file without encryption.</summary>
    private static CatalogItem Item() => new()
    {
        Id = 1,
        ParentId = 0,
        Name = "film.mp4",
        Kind = CatalogItemKind.File,
        Size = Length,
        Created = DateTimeOffset.UnixEpoch,
        Modified = DateTimeOffset.UnixEpoch
    };

    /// <summary>A file type box of 16 bytes, then media data.</summary>
    private static byte[] Film()
    {
        var film = SeededBytes.Make(3, Length);
        BinaryPrimitives.WriteUInt32BigEndian(film, 16);
        "ftypisom"u8.CopyTo(film.AsSpan(4));
        BinaryPrimitives.WriteUInt32BigEndian(film.AsSpan(16), Length - 16);
        "mdat"u8.CopyTo(film.AsSpan(20));
        return film;
    }

    /// <summary>Lacks the bytes of <see cref="Hole"/>. A reader that meets them reports a long wait.</summary>
    private sealed class HoledContent(IContent inner, ReaderWait wait) : DelegatingContent(inner)
    {
        public override ContentReader OpenReader(long start, long end, ReadIntent intent) =>
            new Reader(base.OpenReader(start, end, intent), wait);

        private sealed class Reader(ContentReader inner, ReaderWait wait) : DelegatingReader(inner)
        {
            private bool _hasWaited;

            public override ValueTask<ContentLease> NextAsync(CancellationToken cancellationToken)
            {
                _hasWaited = Hole.Contains(Position);
                return _hasWaited
                    ? ValueTask.FromException<ContentLease>(
                        new ContentException(ContentFault.Missing, "It is gone.") { Lost = new LostRange(Hole, 2) })
                    : base.NextAsync(cancellationToken);
            }

            public override ReaderState Observe() => base.Observe() with { LastWait = _hasWaited ? wait : null };
        }
    }
}
