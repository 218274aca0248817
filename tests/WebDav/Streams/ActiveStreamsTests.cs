using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.WebDav.Files;
using NzbDav.WebDav.Requests;
using NzbDav.WebDav.Store;
using NzbDav.WebDav.Streams;

namespace NzbDav.WebDav.Tests.Streams;

/// <summary>The list of streams: who reads what, how far, and how long it waited.</summary>
public sealed class ActiveStreamsTests : IDisposable
{
    private const int Article = 30_000;

    private readonly ManualTimeProvider _time = new();
    private readonly DiagnosticBufferPool _pool = new();
    private readonly ManualContent _content;
    private readonly ActiveStreams _streams;
    private readonly FileSender _sender;
    private readonly RecordingLogger<FileSender> _log = new();

    public ActiveStreamsTests()
    {
        _time.Advance(TimeSpan.FromSeconds(1));
        _content = new ManualContent(SeededBytes.Make(3, 6 * Article), Article, _pool, _time);
        _streams = new ActiveStreams(_time);
        _sender = new FileSender(_time, Options.Create(new WebDavOptions()), _log, meters: null, _streams);
    }

    public void Dispose()
    {
        foreach (var segment in _content.Fetcher.Pending)
            segment.Fail(ContentFault.Missing);
        _content.Cache.Reclaim(long.MaxValue);
        _pool.AssertAllReturned();
        _streams.Dispose();
    }

    [Fact]
    public async Task The_ranges_of_one_client_are_one_stream_which_is_kept_for_15_seconds()
    {
        await ReadAsync(0, 100, "VLC/3.0.20");
        await ReadAsync(20_000, 500, "VLC/3.0.20");
        await ReadAsync(0, 10, "Infuse/8");

        var streams = _streams.List();
        Assert.Equal(["VLC/3.0.20", "Infuse/8"], streams.Select(stream => stream.Source.UserAgent));
        var film = streams[0];
        Assert.Equal((20_500, 600, StreamActivity.Idle, 0), (film.Position, film.Sent, film.Activity, film.Responses));
        Assert.Equal(("film.mkv", "/content/film.mkv", 6 * Article, "10.0.0.7", 7),
            (film.Source.Name, film.Source.Path, (int)film.Source.Size, film.Source.Address, film.Source.File));

        _time.Advance(ActiveStreams.Memory - TimeSpan.FromSeconds(1));
        Assert.Equal(2, _streams.Count);
        var changes = 0;
        _streams.Changed += () => changes++;
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal((0, 1), (_streams.Count, changes));
        _time.Advance(TimeSpan.FromMinutes(1));
        Assert.Equal(1, changes);
    }

    [Fact]
    public async Task Lists_what_a_stream_waits_for_how_long_and_how_much_is_ahead()
    {
        var client = new PipeClient("mpv");
        var sending = SendAsync(client, 0, 6 * Article);
        Assert.Equal((StreamActivity.Waiting, null), (_streams.List()[0].Activity, _streams.List()[0].FirstByte));

        _time.Advance(TimeSpan.FromMilliseconds(400));
        Complete(0);
        await client.TakeAsync(Article);
        await Until.TrueAsync(() => _streams.List()[0].Sent == Article && _streams.Waiting == 1);
        _time.Advance(TimeSpan.FromSeconds(3));
        var stream = _streams.List()[0];
        Assert.Equal((StreamActivity.Waiting, 1, TimeSpan.FromSeconds(3)), (stream.Activity, stream.Reader.Segment, stream.Waited));
        Assert.Equal((Article, TimeSpan.FromMilliseconds(400), 0), (stream.Position, stream.FirstByte, stream.Reader.Ahead));
        Assert.Equal((long)(Article / 3.4), stream.Rate);

        // The third article has arrived, the second has not: nothing follows the position directly.
        Complete(2);
        Assert.Equal(0, _streams.List()[0].Reader.Ahead);
        Complete(1);
        await client.TakeAsync(2 * Article);
        await Until.TrueAsync(() => _streams.List()[0].Sent == 3 * Article);
        stream = _streams.List()[0];
        Assert.Equal((1, TimeSpan.FromSeconds(3)), (stream.Waits, stream.Waited));
        client.HangUp();
        await sending;
        Assert.Equal((0, 1), (_streams.List()[0].Responses, _streams.List()[0].Waits));
    }

    [Fact]
    public async Task A_wait_of_a_second_is_logged_with_its_cause_and_a_shorter_one_is_not()
    {
        _content.Fetcher.Story = "news-a answered after 0.1 s that it does not have it, news-b took 1.7 s";
        var client = new PipeClient("mpv");
        var sending = SendAsync(client, 0, 6 * Article);
        _time.Advance(TimeSpan.FromSeconds(1.5));
        Complete(0);
        await client.TakeAsync(Article);
        await WaitsAsync(1);
        _time.Advance(TimeSpan.FromMilliseconds(900));
        Complete(1);
        await client.TakeAsync(Article);
        await WaitsAsync(2);
        _time.Advance(TimeSpan.FromSeconds(1.8));
        Complete(2);
        await client.TakeAsync(Article);
        await WaitsAsync(3);
        _time.Advance(TimeSpan.FromSeconds(4));
        client.HangUp();
        await sending;
        Assert.Equal((TimeSpan.FromSeconds(4), 3, _time.GetUtcNow()),
            (_streams.List()[0].LastWait!.Waited, _streams.List()[0].LastWait!.Wait!.Segment, _streams.List()[0].LastWait!.At));
        Assert.Equal(
            [
                "/content/film.mkv: waited 1.5 s for article 1: news-a answered after 0.1 s that it does not have it, news-b took 1.7 s",
                "/content/film.mkv: waited 1.8 s for article 3: news-a answered after 0.1 s that it does not have it, news-b took 1.7 s",
                "/content/film.mkv: waited 4.0 s for article 4: news-a answered after 0.1 s that it does not have it, news-b took 1.7 s",
            ],
            _log.Entries.Where(entry => entry.Level == LogLevel.Warning).Select(entry => entry.Message));
    }

    [Fact]
    public async Task Contiguous_bytes_beyond_the_position_count_as_ahead()
    {
        var client = new PipeClient("mpv") { Pauses = true };
        var sending = SendAsync(client, 0, 6 * Article);
        Complete(0);
        await Until.TrueAsync(() => client.Flushes == 1);
        Complete(1);
        Complete(2);
        await Until.TrueAsync(() => _streams.List()[0].Reader.Ahead == 2 * Article);

        Assert.Equal(StreamActivity.Streaming, _streams.List()[0].Activity);

        // Only a longer wait shows since when the client has not been reading.
        await Until.TrueAsync(() =>
        {
            _time.Advance(TimeSpan.FromSeconds(2));
            return _streams.List()[0].Activity == StreamActivity.Idle;
        });
        client.HangUp();
        await sending;
    }

    [Fact]
    public async Task An_ended_stream_is_aborted_and_its_client_is_refused_that_file_for_30_seconds()
    {
        var client = new PipeClient("VLC");
        var sending = SendAsync(client, 0, Article);
        var id = Assert.Single(_streams.List()).Id;

        Assert.True(_streams.End(id));
        await sending;
        Assert.True(client.Aborted);
        Assert.Empty(_streams.List());
        Assert.False(_streams.End(id));

        var again = new PipeClient("VLC");
        await SendAsync(again, 0, 100);
        Assert.Equal(StatusCodes.Status403Forbidden, again.Http.Response.StatusCode);
        Assert.Empty(_streams.List());
        await ReadAsync(0, 100, "Infuse");
        await ReadAsync(0, 100, "VLC", file: 8);

        _time.Advance(ActiveStreams.Refusal);
        await ReadAsync(0, 100, "VLC");
        Assert.Contains(_streams.List(), stream => stream.Source is { UserAgent: "VLC", File: 7 });
    }

    [Fact]
    public async Task The_number_of_listed_streams_is_bounded_during_a_scan()
    {
        for (var file = 0; file < ActiveStreams.Most + 10; file++)
            await ReadAsync(0, 1, "scanner", file);
        Assert.Equal(ActiveStreams.Most, _streams.Count);
        Assert.DoesNotContain(_streams.List(), stream => stream.Source.File < 10);
    }

    /// <summary>Waits until this many articles are sent and the next one is being waited for.</summary>
    private Task WaitsAsync(int articles) => Until.TrueAsync(() => _streams.List()[0].Sent == articles * Article && _streams.Waiting == 1);

    private void Complete(int segment)
    {
        var one = _content.Fetcher[$"s{segment}"];
        one.Complete(_content.BytesOf(one));
    }

    private async Task ReadAsync(long start, int length, string agent, long file = 7)
    {
        var client = new PipeClient(agent);
        var sending = SendAsync(client, start, length, file);
        foreach (var segment in _content.Fetcher.Pending)
            segment.Complete(_content.BytesOf(segment));
        await client.TakeAsync(length);
        await sending;
        Assert.Equal(StatusCodes.Status206PartialContent, client.Http.Response.StatusCode);
    }

    private Task SendAsync(PipeClient client, long start, long length, long file = 7)
    {
        client.Http.Request.Headers.Range = $"bytes={start}-{start + length - 1}";
        return _sender.SendAsync(client.Http, new FilmFile(_content, file), StorePath.TryParse("/content/film.mkv")!);
    }
}
