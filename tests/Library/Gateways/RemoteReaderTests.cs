using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Library.Gateways;

namespace NzbDav.Library.Tests.Gateways;

/// <summary>Reading a file from another gateway, and everything that can go wrong with that.</summary>
public sealed class RemoteReaderTests : IDisposable
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);
    private static readonly byte[] File = SeededBytes.Make(5, 3_000_000);

    private readonly ManualTimeProvider _time = new();
    private readonly DiagnosticBufferPool _pool = new();
    private readonly HttpClient _client = SharedTorrents.NewClient();

    public void Dispose()
    {
        _client.Dispose();
        _pool.AssertAllReturned();
        _pool.AssertNothingReserved();
    }

    [Fact]
    public async Task A_range_is_one_request_and_another_range_is_another()
    {
        await using var gateway = new FakeGateway(static request => request.AnswerAsync(File));
        var content = Open(gateway);
        Assert.Equal(File, await ContentReads.ReadAsync(content, 0, File.Length));
        Assert.Equal(File[2_000_000..2_500_001], await ContentReads.ReadAsync(content, 2_000_000, 2_500_001));
        Assert.Equal(
            [(0, File.Length), (2_000_000, 2_500_001)], gateway.Requests.Select(static request => ((int)request.Start, (int)request.End)));
        Assert.All(gateway.Requests, static request => Assert.Equal("/view/x", request.Target));
    }

    [Fact]
    public async Task An_empty_range_and_one_that_nobody_reads_cost_no_request()
    {
        await using var gateway = new FakeGateway(static request => request.AnswerAsync(File));
        var content = Open(gateway);
        Assert.Empty(await ContentReads.ReadAsync(content, 7, 7));
        await content.OpenReader(0, File.Length, ReadIntent.Playback).DisposeAsync();
        Assert.Empty(gateway.Requests);
        Assert.Throws<ArgumentOutOfRangeException>(() => content.OpenReader(0, File.Length + 1, ReadIntent.Playback));
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_response_that_breaks_off_is_a_failure_and_the_next_read_goes_on_with_a_new_request(bool reset)
    {
        var isFirst = true;
        await using var gateway = new FakeGateway(async request =>
        {
            if (!isFirst)
            {
                await request.AnswerAsync(File);
                return;
            }

            isFirst = false;
            await request.SendHeadAsync(File.Length);
            await request.SendAsync(File.AsMemory(100, 1_000_000));
            request.Break(reset);
        });
        await using var reader = Open(gateway).OpenReader(100, File.Length, ReadIntent.Playback);
        using var read = new MemoryStream();
        var failure = await Assert.ThrowsAsync<ContentException>(async () => await ReadAsync(reader, read));
        Assert.Equal(ContentFault.Unavailable, failure.Fault);
        Assert.Contains(gateway.Address, failure.Message, StringComparison.Ordinal);
        Assert.Equal(100 + read.Length, reader.Position);
        await ReadAsync(reader, read);
        Assert.Equal(File[100..], read.ToArray());
        Assert.Equal(2, gateway.Requests.Count);
    }

    [Fact]
    public async Task A_refusal_is_told_with_its_reason()
    {
        await using var gateway = new FakeGateway(static async request =>
        {
            await request.SendHeadAsync("503 Service Unavailable", range: null, 25);
            await request.SendAsync("No peer can be reached. \n"u8.ToArray());
        });
        var failure = await FailureAsync(gateway);
        Assert.Equal($"Another gateway has the torrent of this file ({gateway.Address}), and it answers 503: No peer can be reached.",
            failure.Message);
    }

    [Theory]
    [InlineData("200 OK", "bytes 0-2999999/3000000", 3_000_000)]
    [InlineData("206 Partial Content", "bytes 1-2999999/3000000", 2_999_999)]
    [InlineData("206 Partial Content", "bytes 0-2999998/3000000", 2_999_999)]
    [InlineData("206 Partial Content", "bytes 0-2999999/3000001", 3_000_000)]
    [InlineData("206 Partial Content", "bytes 0-2999999/*", 3_000_000)]
    [InlineData("206 Partial Content", "bytes 0-2999999/3000000", 2_999_999)]
    [InlineData("206 Partial Content", "lines 0-2999999/3000000", 3_000_000)]
    [InlineData("206 Partial Content", null, 3_000_000)]
    public async Task A_response_with_another_range_is_refused(string status, string? range, int length)
    {
        await using var gateway = new FakeGateway(async request =>
        {
            await request.SendHeadAsync(status, range, length);
            await request.SendAsync(File.AsMemory(0, length));
        });
        await FailureAsync(gateway);
    }

    [Fact]
    public async Task Nobody_listening_is_a_failure()
    {
        FakeGateway gone;
        await using (gone = new FakeGateway(static request => request.AnswerAsync(File)))
        {
        }

        await FailureAsync(gone);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_gateway_that_sends_nothing_for_too_long_is_a_failure(bool hasBegun)
    {
        var asked = new TaskCompletionSource();
        await using var gateway = new FakeGateway(async request =>
        {
            if (hasBegun)
            {
                await request.SendHeadAsync(File.Length);
                await request.SendAsync(File.AsMemory(0, 10));
            }

            asked.SetResult();
            await Task.Delay(Timeout.InfiniteTimeSpan, CancellationToken.None);
        });
        await using var reader = Open(gateway).OpenReader(0, File.Length, ReadIntent.Playback);
        while (hasBegun && reader.Position < 10)
            (await reader.NextAsync(CancellationToken.None)).Dispose();
        var reading = reader.NextAsync(CancellationToken.None).AsTask();
        await asked.Task;
        _time.Advance(Patience - TimeSpan.FromTicks(1));
        Assert.False(reading.IsCompleted);
        _time.Advance(TimeSpan.FromTicks(1));
        var failure = await Assert.ThrowsAsync<ContentException>(() => reading);
        Assert.Equal(ContentFault.Unavailable, failure.Fault);
    }

    [Fact]
    public async Task A_reader_that_is_disposed_stops_the_other_gateway()
    {
        var stopped = new TaskCompletionSource();
        await using var gateway = new FakeGateway(async request =>
        {
            await request.SendHeadAsync(File.Length);
            await request.SendAsync(File.AsMemory(0, 1_000));

            // The reader's side closes the connection.
            await request.Socket.ReceiveAsync(new byte[1]);
            stopped.SetResult();
        });
        var reader = Open(gateway).OpenReader(0, File.Length, ReadIntent.Playback);
        (await reader.NextAsync(CancellationToken.None)).Dispose();
        await reader.DisposeAsync();
        await reader.DisposeAsync();
        await Until.TrueAsync(() => stopped.Task.IsCompleted);
        await Assert.ThrowsAsync<ObjectDisposedException>(async () => await reader.NextAsync(CancellationToken.None));
    }

    [Fact]
    public async Task A_caller_that_gives_up_loses_nothing()
    {
        var asked = new TaskCompletionSource();
        await using var gateway = new FakeGateway(async request =>
        {
            if (asked.TrySetResult())
                await Task.Delay(Timeout.InfiniteTimeSpan, CancellationToken.None);
            else
                await request.AnswerAsync(File);
        });
        await using var reader = Open(gateway).OpenReader(0, File.Length, ReadIntent.Playback);
        using var patience = new CancellationTokenSource();
        var reading = reader.NextAsync(patience.Token).AsTask();
        await asked.Task;
        await patience.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => reading);
        Assert.Equal(File, await ContentReads.ReadToEndAsync(reader));
    }

    private static async Task ReadAsync(ContentReader reader, MemoryStream to)
    {
        while (true)
        {
            using var lease = await reader.NextAsync(CancellationToken.None);
            if (lease.IsEmpty)
                return;
            Assert.True(lease.IsVerified);
            to.Write(lease.Memory.Span);
        }
    }

    private async Task<ContentException> FailureAsync(FakeGateway gateway)
    {
        await using var reader = Open(gateway).OpenReader(0, File.Length, ReadIntent.Playback);
        var failure = await Assert.ThrowsAsync<ContentException>(async () => await reader.NextAsync(CancellationToken.None));
        Assert.Equal((ContentFault.Unavailable, 0), (failure.Fault, reader.Position));
        return failure;
    }

    private RemoteContent Open(FakeGateway gateway) =>
        new(new RemoteFile(new Uri(gateway.Address + "/view/x"), File.Length, gateway.Address), _client, _pool, _time, Patience);
}
