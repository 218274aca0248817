// The reads here are meant to fail, or to give less than asked for.
#pragma warning disable CA2022, MA0060

using NzbDav.Fakes;

namespace NzbDav.Content.Tests;

/// <summary>What <see cref="CombinedStream"/> promises beyond being a stream.</summary>
public sealed class CombinedStreamTests
{
    private readonly byte[] _bytes = SeededBytes.Make(1, 5000);
    private readonly DiagnosticBufferPool _pool = new();
    private readonly MemoryContent _content;

    public CombinedStreamTests() => _content = new MemoryContent(_bytes, segmentSize: 1000, _pool);

    [Fact]
    public async Task Opening_reads_nothing_and_the_intent_is_passed_on()
    {
        await using var stream = new CombinedStream(_content, ReadIntent.Import);
        stream.Position = 1234;
        Assert.Equal(0, _content.ReadersOpened);

        await stream.ReadExactlyAsync(new byte[1]);

        Assert.Equal([new MemoryRequest(1234, 5000, ReadIntent.Import)], _content.Requests);
    }

    [Fact]
    public async Task Seeking_inside_the_lease_fetches_nothing()
    {
        await using var stream = new CombinedStream(_content, ReadIntent.Playback);
        await stream.ReadExactlyAsync(new byte[10]);
        foreach (var position in new[] { 999, 0, 500, 10 })
        {
            stream.Position = position;
            Assert.Equal(_bytes[position], stream.ReadByte());
        }

        Assert.Equal((1, 1000), (_content.ReadersOpened, _content.BytesLent));
    }

    [Fact]
    public async Task A_seek_to_the_current_position_keeps_the_reader()
    {
        await using var stream = new CombinedStream(_content, ReadIntent.Playback);
        await stream.ReadExactlyAsync(new byte[10]);
        stream.Position = 4000;
        stream.Position = 1000;
        Assert.Equal(_bytes[1000], stream.ReadByte());

        Assert.Equal((1, 2000), (_content.ReadersOpened, _content.BytesLent));
    }

    [Fact]
    public async Task A_seek_elsewhere_closes_the_reader_at_the_next_read_without_waiting()
    {
        var closing = new TaskCompletionSource();
        var content = new SlowlyClosingContent(_content, closing.Task);
        var stream = new CombinedStream(content, ReadIntent.Playback);
        await stream.ReadExactlyAsync(new byte[10]);
        stream.Position = 3500;
        Assert.Equal(0, content.Closing);

        await stream.ReadExactlyAsync(new byte[1]);

        Assert.Equal((2, 1), (_content.ReadersOpened, content.Closing));
        var disposal = stream.DisposeAsync().AsTask();
        Assert.False(disposal.IsCompleted);
        closing.SetResult();
        await disposal;
        Assert.Equal(2, _content.ReadersDisposed);
        _pool.AssertAllReturned();
    }

    [Fact]
    public async Task Copying_passes_the_leases_without_copying_bytes()
    {
        var content = new MemoryContent(_bytes, segmentSize: 1000);
        await using var stream = new CombinedStream(content, ReadIntent.Download);
        stream.Position = 500;
        using var destination = new RecordingStream();

        await stream.CopyToAsync(destination);

        Assert.Equal([500, 1000, 1000, 1000, 1000], destination.Writes.Select(write => write.Length));
        Assert.True(destination.Writes[1].Span.Overlaps(_bytes.AsSpan(1000, 1000), out var offset) && offset == 0);
    }

    [Fact]
    public async Task A_failing_destination_leaves_the_position_after_the_bytes_written()
    {
        await using (var stream = new CombinedStream(_content, ReadIntent.Download))
        {
            using var destination = new RecordingStream { FailAfter = 2 };
            await Assert.ThrowsAsync<IOException>(() => stream.CopyToAsync(destination));

            Assert.Equal(2000, stream.Position);
            Assert.Equal(_bytes[2000], stream.ReadByte());
        }

        _pool.AssertAllReturned();
    }

    [Fact]
    public async Task A_failure_of_the_content_is_thrown_and_can_be_retried()
    {
        _content.FailAt(1500, ContentFault.Unavailable, times: 2);
        await using (var stream = new CombinedStream(_content, ReadIntent.Playback))
        {
            await stream.ReadExactlyAsync(new byte[1500]);

            var first = await Assert.ThrowsAsync<ContentException>(async () => await stream.ReadAsync(new byte[1]));
            Assert.Equal(ContentFault.Unavailable, first.Fault);
            Assert.Throws<ContentException>(() => stream.ReadByte());

            Assert.Equal(1500, stream.Position);
            Assert.Equal(_bytes[1500], stream.ReadByte());
            Assert.Equal(1, _content.ReadersOpened);
        }

        _pool.AssertAllReturned();
    }

    [Fact]
    public async Task Cancelling_a_waiting_read_consumes_nothing()
    {
        var gate = _content.GateAt(1000);
        await using (var stream = new CombinedStream(_content, ReadIntent.Playback))
        {
            await stream.ReadExactlyAsync(new byte[1000]);
            using var cancellation = new CancellationTokenSource();
            var read = stream.ReadAsync(new byte[10], cancellation.Token).AsTask();
            Assert.False(read.IsCompleted);

            await cancellation.CancelAsync();

            var cancelled = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => read);
            Assert.Equal(cancellation.Token, cancelled.CancellationToken);
            Assert.Equal(1000, stream.Position);
            gate.SetResult();
            Assert.Equal(_bytes[1000], stream.ReadByte());
        }

        _pool.AssertAllReturned();
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Disposing_during_a_waiting_read_ends_it_and_leaks_nothing(bool copying)
    {
        _content.GateAt(1000);
        var stream = new CombinedStream(_content, ReadIntent.Playback);
        await stream.ReadExactlyAsync(new byte[1000]);
        Task waiting = copying ? stream.CopyToAsync(Stream.Null) : stream.ReadAsync(new byte[10]).AsTask();

        stream.Dispose();

        await Assert.ThrowsAsync<ObjectDisposedException>(() => waiting);
        await stream.DisposeAsync();
        Assert.Equal(1, _content.ReadersDisposed);
        _pool.AssertAllReturned();
    }

    [Fact]
    public async Task Disposing_never_blocks_on_a_reader_that_closes_slowly()
    {
        var closing = new TaskCompletionSource();
        var stream = new CombinedStream(new SlowlyClosingContent(_content, closing.Task), ReadIntent.Playback);
        stream.ReadByte();

        stream.Dispose();

        Assert.Equal(0, _content.ReadersDisposed);
        closing.SetResult();
        await stream.DisposeAsync();
        Assert.Equal(1, _content.ReadersDisposed);
        _pool.AssertAllReturned();
    }

    [Fact]
    public async Task A_second_concurrent_read_throws()
    {
        var gate = _content.GateAt(0);
        await using var stream = new CombinedStream(_content, ReadIntent.Playback);
        var first = stream.ReadAsync(new byte[10]).AsTask();

        Assert.Throws<InvalidOperationException>(() => stream.ReadByte());
        Assert.Throws<InvalidOperationException>(() => stream.Position = 3);

        gate.SetResult();
        Assert.Equal(10, await first);
    }

    [Fact]
    public async Task Disposal_races_reads_without_leaks()
    {
        for (var round = 0; round < 300; round++)
        {
            var stream = new CombinedStream(_content, ReadIntent.Playback);
            var reading = Task.Run(async () =>
            {
                try
                {
                    while (true)
                    {
                        stream.Position = round * 7 % 4999;
                        await stream.CopyToAsync(Stream.Null);
                    }
                }
                catch (ObjectDisposedException)
                {
                }
            });
            var disposing = Task.Run(() =>
            {
                Thread.SpinWait(round * 20);
                stream.Dispose();
            });

            await Task.WhenAll(reading, disposing);
            await stream.DisposeAsync();
            _pool.AssertAllReturned();
        }

        Assert.Equal(_content.ReadersOpened, _content.ReadersDisposed);
    }
}
