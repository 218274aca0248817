using NzbDav.Fakes;

namespace NzbDav.Content.Tests;

/// <summary>A <see cref="CombinedStream"/> over some shape of content; at its end all buffers are back and all readers closed.</summary>
internal sealed class StreamFixture : IAsyncDisposable
{
    private readonly List<MemoryContent> _sources = [];

    public StreamFixture(string shape)
    {
        // A part per byte is slow: fewer of them say as much.
        Bytes = SeededBytes.Make(shape.Length, shape == "bytes" ? 200 : 4200);
        Stream = shape switch
        {
            "one" => new CombinedStream(Source(Bytes), ReadIntent.Playback),
            "parts" => new CombinedStream([Source(Bytes[..1]), Source([]), Source(Bytes[1..1500]), Source(Bytes[1500..4000]),
                Source(Bytes[4000..])], ReadIntent.Playback),
            "bytes" => new CombinedStream([.. Bytes.Select(b => Source([b]))], ReadIntent.Playback),
            "slice" => new CombinedStream(new SliceContent(
                new SliceContent(Source([1, 2, 3, .. Bytes, 4, 5]), 1, Bytes.Length + 3), 2, Bytes.Length), ReadIntent.Playback),
            "slices of parts" => new CombinedStream(
                [new SliceContent(new ConcatenatedContent([Source([9, .. Bytes[..700]]), Source(Bytes[700..2000])]), 1, 2000),
                    new SliceContent(Source(Bytes), 2000, 2200)],
                ReadIntent.Playback),
            _ => throw new ArgumentOutOfRangeException(nameof(shape)),
        };
    }

    public static string[] Shapes { get; } = ["one", "parts", "bytes", "slice", "slices of parts"];

    public DiagnosticBufferPool Pool { get; } = new(traces: false);

    public byte[] Bytes { get; }

    public CombinedStream Stream { get; }

    public int ReadersOpened => _sources.Sum(source => source.ReadersOpened);

    public async ValueTask DisposeAsync()
    {
        await Stream.DisposeAsync();
        Pool.AssertAllReturned();
        Pool.AssertNothingReserved();
        Assert.Equal(ReadersOpened, _sources.Sum(source => source.ReadersDisposed));
    }

    private MemoryContent Source(byte[] bytes)
    {
        var source = new MemoryContent(bytes, segmentSize: 1000, Pool);
        _sources.Add(source);
        return source;
    }
}
