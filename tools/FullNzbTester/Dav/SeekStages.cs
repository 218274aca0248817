using NzbDav.FullNzbTester.Findings;
using NzbDav.FullNzbTester.Stages;

namespace NzbDav.FullNzbTester.Dav;

/// <summary>Short reads at various places: those that a person waits for.</summary>
internal sealed class SeekStages(DavReads reads)
{
    private const long HeadBytes = 512 << 10;
    private const long MiddleBytes = 8 << 20;
    private const long BeginningBytes = 32 << 20;
    private const int Again = 10;

    private long Length => reads.Target.Length;

    private long Piece => Math.Min(Units.MiB, Length);

    /// <summary>Measures one GET.</summary>
    public Task FirstGetAsync(string name, string label, string figure, CancellationToken cancellationToken) =>
        reads.Stages.RunAsync(name, async (stage, token) =>
        {
            using var client = reads.Client();
            var read = await reads.ReadAsync(stage, client, RangeRequest.Open(Length / 3, 1), token);
            stage.Add(label, new Figure(figure, read.FirstByte.TotalMilliseconds));
            stage.Limit($"the first byte at {Length / 3:N0}", read.FirstByte.TotalMilliseconds, reads.Options.MaxReadMs);
        }, cancellationToken);

    /// <summary>The first GET of a server without open connections, and the cost of opening them: TCP, TLS, greeting, login.</summary>
    public Task ColdGetAsync(CancellationToken cancellationToken) =>
        reads.Stages.RunAsync("first GET, not connected", async (stage, token) =>
        {
            using var client = reads.Client();
            var read = await reads.ReadAsync(stage, client, RangeRequest.Open(Length / 3, 1), token);
            stage.Add("first GET, not connected yet, ms", new Figure("webdav_first_get_unconnected_ms", read.FirstByte.TotalMilliseconds));
            var metrics = reads.Server is null ? null : await reads.Server.ReadMetricsAsync(token);
            stage.Add("opening a connection, mean, ms", new Figure("server_connect_mean_ms",
                1000 * metrics?.Total("nzbdav_usenet_connect_seconds_sum") / metrics?.Total("nzbdav_usenet_connect_seconds_count")));
        }, cancellationToken);

    /// <summary>A short read that is not measured. Afterwards the code is compiled and connections are open.</summary>
    public Task WarmUpAsync(CancellationToken cancellationToken) => reads.Stages.RunAsync("warm-up", async (stage, token) =>
    {
        using var client = reads.Client();
        await reads.ReadAsync(stage, client, RangeRequest.Closed(Length - Piece, Piece), token);
    }, cancellationToken);

    public async Task RunAsync(CancellationToken cancellationToken)
    {
        await PlayerStartAsync(cancellationToken);
        await SeekAsync(cancellationToken);
        await reads.Stages.RunAsync("open-ended ranges", OpenAsync, cancellationToken);
        await reads.Stages.RunAsync("closed ranges", ClosedAsync, cancellationToken);
        await reads.Stages.RunAsync("same range again", AgainAsync, cancellationToken);
    }

    /// <summary>The reads before the first picture: the head, the index at the end, and the middle, where playback continues.</summary>
    public Task PlayerStartAsync(CancellationToken cancellationToken) =>
        reads.Stages.RunAsync("player start", PlayerStartAsync, cancellationToken);

    /// <summary>Scrubbing: waits only for the first byte, then requests the next place at once.</summary>
    public Task SeekAsync(CancellationToken cancellationToken) => reads.Stages.RunAsync("seek", SeekAsync, cancellationToken);

    /// <summary>
    /// 512 KiB of the head, the index in the last MiB, 8 MiB of the middle: one after the other on one connection, as players do.
    /// </summary>
    private async Task PlayerStartAsync(Stage stage, CancellationToken cancellationToken)
    {
        using var client = reads.Client();
        var middle = Math.Min(MiddleBytes, Length);
        RangeRequest[] ranges =
        [
            RangeRequest.Closed(0, Math.Min(HeadBytes, Length)),
            RangeRequest.Closed(Length - Piece, Piece),
            RangeRequest.Closed(Math.Min(SeekPlaces.At(Length, 37), Length - middle), middle),
        ];
        var took = new List<double>();
        var started = reads.Time.GetTimestamp();
        foreach (var range in ranges)
            took.Add((await reads.ReadAsync(stage, client, range, cancellationToken)).All.TotalMilliseconds);
        stage.Add("player start, ms", new Figure("webdav_player_start_ms", reads.Time.GetElapsedTime(started).TotalMilliseconds));
        stage.Add(
            "its head / tail / 8 MiB middle",
            new Figure("webdav_player_head_ms", took[0]), new Figure("webdav_player_tail_ms", took[1]),
            new Figure("webdav_player_middle_ms", took[2]));
    }

    /// <summary>
    /// 512 KiB of the head, the last MiB, then everything from 64 KiB on, of which 8 MiB are read: what a player asks for that follows the
    /// index of a Matroska film. The head is on the server's disk.
    /// </summary>
    public Task FilmStartAsync(CancellationToken cancellationToken) => reads.Stages.RunAsync("film start", async (stage, token) =>
    {
        using var client = reads.Client();
        const long Behind = 64 << 10;
        var started = reads.Time.GetTimestamp();
        await reads.ReadAsync(stage, client, RangeRequest.Closed(0, Math.Min(HeadBytes, Length)), token);
        await reads.ReadAsync(stage, client, RangeRequest.Closed(Length - Piece, Piece), token);
        var film = await reads.ReadAsync(stage, client, RangeRequest.Open(Behind, Math.Min(MiddleBytes, Length - Behind)), token);
        stage.Add("film start, ms", new Figure("webdav_film_start_ms", reads.Time.GetElapsedTime(started).TotalMilliseconds));
        stage.Add("its 8 MiB, open-ended, ms", new Figure("webdav_film_start_open_ms", film.All.TotalMilliseconds));
    }, cancellationToken);

    /// <summary>One GET for the whole file, of which the first 32 MiB are read.</summary>
    public Task BeginningAsync(CancellationToken cancellationToken) => reads.Stages.RunAsync("beginning", async (stage, token) =>
    {
        using var client = reads.Client();
        var read = await reads.ReadAsync(stage, client, RangeRequest.Open(0, Math.Min(BeginningBytes, Length)), token);
        stage.Add("first 32 MiB, open-ended, ms", new Figure("webdav_beginning_ms", read.All.TotalMilliseconds));
    }, cancellationToken);

    private async Task SeekAsync(Stage stage, CancellationToken cancellationToken)
    {
        using var client = reads.Client();
        var named = new List<Figure>();
        foreach (var percent in SeekPlaces.Percents)
        {
            var one = new ReadTimes();
            await SeekOnceAsync(stage, client, SeekPlaces.At(Length, percent), one, cancellationToken);
            named.Add(new Figure($"webdav_seek_{percent}_percent_ms", one.Mean));
        }

        SeekPlaces.AddTo(stage, named);
        var times = new ReadTimes();
        foreach (var place in SeekPlaces.Random(Length, 1, reads.Options.Seeks, variation: 1))
        {
            await SeekOnceAsync(stage, client, place, times, cancellationToken);
            stage.Progress((double)times.Count / reads.Options.Seeks);
        }

        stage.Add("scrubbing: p50 / p95, ms", times.P50AndP95("webdav_seek"));
    }

    private async Task SeekOnceAsync(Stage stage, RangeClient client, long place, ReadTimes times, CancellationToken cancellationToken)
    {
        var read = await reads.ReadAsync(stage, client, RangeRequest.Open(place, 1), cancellationToken);
        times.Add(read.FirstByte, place);
        stage.Limit($"first read at byte {place:N0}", read.FirstByte.TotalMilliseconds, reads.Options.MaxReadMs);
    }

    private async Task OpenAsync(Stage stage, CancellationToken cancellationToken)
    {
        var (first, whole) = (new ReadTimes(), new ReadTimes());
        var articles = await reads.ArticlesAsync(
            () => ReadPiecesAsync(stage, 2, start => RangeRequest.Open(start, Piece), first, whole, cancellationToken), cancellationToken);
        stage.Add("open range: byte p50 / p95, ms", first.P50AndP95("webdav_open_first_byte"));
        stage.Add("open range: MiB p50 / p95, ms", whole.P50AndP95("webdav_open_first_mib"));
        stage.Add("open range: articles per MiB", new Figure("webdav_open_articles_per_range", articles / reads.Options.Seeks));
    }

    private async Task ClosedAsync(Stage stage, CancellationToken cancellationToken)
    {
        var (first, whole) = (new ReadTimes(), new ReadTimes());
        var articles = await reads.ArticlesAsync(() =>
            ReadPiecesAsync(stage, 3, start => RangeRequest.Closed(start, Piece), first, whole, cancellationToken), cancellationToken);
        stage.Add("closed MiB: byte p50 / p95, ms", first.P50AndP95("webdav_closed_first_byte"));
        stage.Add("closed MiB: whole p50 / p95, ms", whole.P50AndP95("webdav_closed_whole"));
        stage.Add("closed MiB: articles for each", new Figure("webdav_closed_articles_per_range", articles / reads.Options.Seeks));
    }

    private async Task ReadPiecesAsync(
        Stage stage, int variation, Func<long, RangeRequest> range, ReadTimes first, ReadTimes whole, CancellationToken cancellationToken)
    {
        foreach (var start in SeekPlaces.Random(Length, Piece, reads.Options.Seeks, variation))
        {
            // A new connection each time, as players open one when they jump.
            using var client = reads.Client();
            var read = await reads.ReadAsync(stage, client, range(start), cancellationToken);
            first.Add(read.FirstByte, start);
            whole.Add(read.All, start);
            stage.Progress((double)first.Count / reads.Options.Seeks);
            stage.Limit($"first read at byte {start:N0}", read.FirstByte.TotalMilliseconds, reads.Options.MaxReadMs);
        }
    }

    private async Task AgainAsync(Stage stage, CancellationToken cancellationToken)
    {
        using var client = reads.Client();
        var times = new ReadTimes();
        foreach (var start in SeekPlaces.Random(Length, Piece, Again, variation: 4))
        {
            await reads.ReadAsync(stage, client, RangeRequest.Closed(start, Piece), cancellationToken);
            var again = await reads.ReadAsync(stage, client, RangeRequest.Closed(start, Piece), cancellationToken);
            times.Add(again.All, start);
        }

        stage.Add("a MiB once more: p50 / p95, ms", times.P50AndP95("webdav_again"));
    }
}
