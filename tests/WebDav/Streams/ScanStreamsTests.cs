using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.WebDav.Streams;

namespace NzbDav.WebDav.Tests.Streams;

/// <summary>Streams that scan files get low priority, and those that play do not.</summary>
public sealed class ScanStreamsTests : IDisposable
{
    /// <summary>At least an hour long, because nothing else is known: 1 MB/s.</summary>
    private const long Size = 1_200_000_000;

    private const int Fast = 30_000_000;

    private readonly ManualTimeProvider _time = new();
    private readonly ActiveStreams _streams;
    private readonly Lengths _lengths = new();

    public ScanStreamsTests()
    {
        _time.Advance(TimeSpan.FromSeconds(1));
        _streams = new ActiveStreams(_time, _lengths);
    }

    public void Dispose() => _streams.Dispose();

    [Fact]
    public void A_stream_faster_than_playback_gets_low_priority_and_says_so()
    {
        var (response, reader) = Begin(file: 1);
        Read(response, seconds: 10, Fast);
        Assert.Equal((null, ScanSign.None), (reader.Way, Scan(1)));
        Read(response, seconds: 1, Fast);
        Assert.Equal((new YieldMode(TimeSpan.FromSeconds(1), ReadsOn: true), ScanSign.Fast), (reader.Way, Scan(1)));

        // Its next request has low priority from the beginning.
        _streams.Close(response);
        var (next, _) = Begin(file: 1, response.Position);
        Assert.NotNull(next.Stream.YieldMode);
    }

    [Fact]
    public void A_stream_is_served_normally_again_at_the_films_rate()
    {
        var (response, reader) = Begin(file: 1);
        Read(response, seconds: 20, Fast);
        Assert.NotNull(reader.Way);
        Read(response, seconds: 5, 1_000_000);
        Assert.Equal((null, ScanSign.None), (reader.Way, Scan(1)));
    }

    [Fact]
    public void The_next_file_of_the_same_client_gets_low_priority_sooner_but_not_another_clients()
    {
        var (first, _) = Begin(file: 1);
        Read(first, seconds: 12, Fast);
        _streams.Close(first);
        var (second, scanner) = Begin(file: 2);
        var (other, player) = Begin(file: 2, agent: "Infuse/8");
        for (var i = 0; i < 5; i++)
        {
            second.OnSent(Fast);
            other.OnSent(Fast);
            _time.Advance(TimeSpan.FromSeconds(1));
        }

        Assert.Equal((true, false), (scanner.Way is not null, player.Way is not null));
    }

    [Fact]
    public void With_scan_detection_switched_off_every_stream_has_normal_priority()
    {
        var (response, reader) = Begin(file: 1);
        Read(response, seconds: 12, Fast);
        Assert.NotNull(reader.Way);
        _streams.RecognisesScans = false;
        Read(response, seconds: 12, Fast);
        Assert.Equal((null, ScanSign.None, null), (reader.Way, Scan(1), response.Stream.YieldMode));
    }

    [Fact]
    public async Task The_scan_threshold_depends_on_the_length_of_the_film()
    {
        // Ten minutes: 2 MB/s, and 3 MB/s in scenes with much movement.
        _lengths.Found = TimeSpan.FromMinutes(10);
        var (response, reader) = Begin(file: 1);
        Read(response, seconds: 8, 4_000_000);
        await Until.TrueAsync(() => response.Stream.ScanDetector.Length is not null);
        Read(response, seconds: 60, 4_000_000);
        Assert.Null(reader.Way);
        Assert.Equal(1, _lengths.Asked);
        Read(response, seconds: 12, Fast);
        Assert.NotNull(reader.Way);
    }

    private (StreamResponse Response, Reader Reader) Begin(long file, long position = 0, string agent = "rclone/v1.70")
    {
        var response = _streams.Begin(new StreamSource(file, "/film.mkv", "film.mkv", Size, "10.0.0.7", agent, User: null,
            StreamOrigin.Dav), position, Size, ReadIntent.Playback, static () => { })!;
        var reader = new Reader();
        response.Reads(reader, position);
        response.FirstByte();
        return (response, reader);
    }

    private void Read(StreamResponse response, int seconds, int bytes)
    {
        for (var i = 0; i < seconds; i++)
        {
            response.OnSent(bytes);
            _time.Advance(TimeSpan.FromSeconds(1));
        }
    }

    private ScanSign Scan(long file) => _streams.List().Single(stream => stream.Source.File == file).Scan;

    private sealed class Reader : ContentReader
    {
        public YieldMode? Way { get; private set; }

        public override long Position => 0;

        public override void SetYieldMode(YieldMode? mode) => Way = mode;

        public override ValueTask<ContentLease> NextAsync(CancellationToken cancellationToken) => new(ContentLease.Empty);

        public override ValueTask DisposeAsync() => ValueTask.CompletedTask;
    }

    private sealed class Lengths : IFilmLengths
    {
        public TimeSpan? Found { get; set; }

        public int Asked { get; private set; }

        public ValueTask<TimeSpan?> FindAsync(long file)
        {
            Asked++;
            return new(Found);
        }
    }
}
