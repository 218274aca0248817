using System.IO.Pipelines;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.WebDav.Files;

namespace NzbDav.WebDav.Tests;

public sealed class BodyPumpTests : IDisposable
{
    private const int Article = 10_000;

    private readonly DiagnosticBufferPool _pool = new();
    private readonly ManualContent _content;
    private readonly byte[] _bytes = SeededBytes.Make(5, 3 * Article);
    private readonly Pipe _pipe = new(new PipeOptions(pauseWriterThreshold: 0));

    public BodyPumpTests() => _content = new ManualContent(_bytes, Article, _pool, new ManualTimeProvider());

    public void Dispose()
    {
        foreach (var segment in _content.Fetcher.Pending)
            segment.Fail(ContentFault.Missing);
        Assert.Equal(0, _content.Cache.Open);
        _content.Cache.Reclaim(long.MaxValue);
        _pool.AssertAllReturned();
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(5000)]
    [InlineData(12_345)]
    public async Task The_last_byte_waits_until_all_bytes_are_verified(int length)
    {
        // A reader that continues beyond the bytes to send.
        await using var reader = _content.OpenReader(0, _content.Length, ReadIntent.Playback);
        var articles = Enumerable.Range(0, 1 + (length / Article)).Select(index => _content.Fetcher[$"s{index}"]).ToArray();
        var attempts = articles.Select(article => article.Answer(_content.BytesOf(article)).Show(Article)).ToArray();
        var sending = SendAsync(reader, length);
        if (length > Article)
            attempts[0].Complete();
        Assert.Equal(_bytes[..(length - 1)], await SentAsync(length - 1));
        Assert.False(sending.IsCompleted);
        attempts[(length - 1) / Article].Complete();
        Assert.Equal(BodyOutcome.Sent, await sending);
        Assert.Equal(_bytes[(length - 1)..length], await SentAsync(1));
    }

    [Fact]
    public async Task Wrong_bytes_are_reported_and_the_response_is_never_completed()
    {
        await using var reader = _content.OpenReader(0, _content.Length, ReadIntent.Playback);
        var article = _content.Fetcher["s0"];
        var wrong = _content.BytesOf(article);
        wrong[100] ^= 1;
        var attempt = article.Answer(wrong).Show(Article);
        var sending = SendAsync(reader, 5000);
        Assert.Equal(wrong[..4999], await SentAsync(4999));
        attempt.Withdraw();
        article.Complete(_content.BytesOf(article));
        Assert.Equal(ContentFault.Corrupt, (await Assert.ThrowsAsync<ContentException>(() => sending)).Fault);
        Assert.False(_pipe.Reader.TryRead(out _));
    }

    private Task<BodyOutcome> SendAsync(ContentReader reader, long length) =>
        BodyPump.SendAsync(reader, lease: null, length, _pipe.Writer, new SendPieces(), new SendMetrics(meters: null, TimeProvider.System),
            stream: null, CancellationToken.None).AsTask();

    private async Task<byte[]> SentAsync(int count)
    {
        if (count == 0)
            return [];
        var read = await _pipe.Reader.ReadAtLeastAsync(count);
        var bytes = System.Buffers.BuffersExtensions.ToArray(read.Buffer);
        _pipe.Reader.AdvanceTo(read.Buffer.End);
        return bytes;
    }
}
