using NzbDav.Content.Rates;
using NzbDav.Fakes;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Tests.Nntp;

public sealed class ReadAheadStreamTests
{
    private const int Record = 16 << 10;

    [Fact]
    public async Task One_receive_serves_many_reads_that_complete_synchronously()
    {
        var receives = 0;
        await using var below = new ReplayStream { BeforeRead = () => receives++ };
        await using var stream = new ReadAheadStream(below);
        stream.Start(new ReceiveBuffers());
        var sent = Bytes(ReceiveBuffers.Size);
        below.Feed(sent);
        var came = new byte[sent.Length];
        for (var at = 0; at < sent.Length; at += Record)
        {
            // As SslStream reads: it waits for readability first.
            var empty = stream.ReadAsync(Memory<byte>.Empty);
            Assert.True(at == 0 || empty.IsCompletedSuccessfully);
            await empty;
            var read = stream.ReadAsync(came.AsMemory(at, Record));
            Assert.True(at == 0 || read.IsCompletedSuccessfully);
            Assert.Equal(Record, await read);
        }

        Assert.Equal(sent, came);

        // The empty read waited without a buffer; the other one filled it.
        Assert.Equal(2, receives);
    }

    [Fact]
    public async Task Waiting_between_two_large_receives_is_part_of_the_next_receive()
    {
        var receives = 0;
        await using var below = new ReplayStream();
        await using var stream = new ReadAheadStream(below);
        stream.Start(new ReceiveBuffers());
        below.Feed([1]);
        await stream.ReadExactlyAsync(new byte[1]);
        below.BeforeRead = () => receives++;
        below.Feed([2]);
        Assert.Equal(0, await stream.ReadAsync(Memory<byte>.Empty));
        var one = new byte[1];
        Assert.Equal(1, await stream.ReadAsync(one));
        Assert.Equal((2, 1), (one[0], receives));
    }

    [Fact]
    public async Task Nothing_is_read_ahead_before_the_start()
    {
        await using var below = new ReplayStream();
        await using var stream = new ReadAheadStream(below);
        below.Feed([1, 2, 3]);
        Assert.Equal(2, await stream.ReadAsync(new byte[2]));
        var rest = new byte[2];
        Assert.Equal(1, await below.ReadAsync(rest));
        Assert.Equal(3, rest[0]);
    }

    [Fact]
    public async Task The_buffer_is_returned_once_it_is_empty_or_on_disposal()
    {
        var buffers = new ReceiveBuffers();
        var only = new byte[ReceiveBuffers.Size];
        buffers.Return(only);
        await using var below = new ReplayStream();
        await using var stream = new ReadAheadStream(below);
        stream.Start(buffers);
        below.Feed([1, 2]);
        await stream.ReadExactlyAsync(new byte[1]);
        stream.Release();
        Assert.NotSame(only, buffers.Rent());
        await stream.ReadExactlyAsync(new byte[1]);
        stream.Release();
        Assert.Same(only, buffers.Rent());

        buffers.Return(only);
        below.Feed([3, 4]);
        await stream.ReadExactlyAsync(new byte[1]);
        await stream.DisposeAsync();
        Assert.Same(only, buffers.Rent());
    }

    [Fact]
    public async Task Reads_after_the_end_return_nothing()
    {
        await using var below = new ReplayStream();
        await using var stream = new ReadAheadStream(below);
        stream.Start(new ReceiveBuffers());
        below.Feed([1]);
        below.End();
        var two = new byte[2];
        Assert.Equal(1, await stream.ReadAsync(two));
        Assert.Equal(0, await stream.ReadAsync(two));
        Assert.Equal(0, await stream.ReadAsync(two));
    }

    [Fact]
    public async Task The_speed_limit_applies_to_read_ahead()
    {
        var limit = new RateLimit(new ManualTimeProvider()) { BytesPerSecond = 640_000 };
        await using var below = new ReplayStream();
        await using var stream = new ReadAheadStream(below);
        stream.Start(new ReceiveBuffers(limit));
        below.Feed(Bytes(20_000));
        Assert.Equal(10_000, await stream.ReadAsync(new byte[20_000]));
        Assert.Equal(10_000, await below.ReadAsync(new byte[20_000]));
    }

    private static byte[] Bytes(int count)
    {
        var bytes = new byte[count];
        new Random(1).NextBytes(bytes);
        return bytes;
    }
}
