// The reads here are meant to fail, or to give less than asked for.
#pragma warning disable CA2022, MA0060

namespace NzbDav.Content.Tests;

/// <summary>What every seekable, read-only <see cref="Stream"/> owes its users, over each shape of content.</summary>
public sealed class StreamConformanceTests
{
    public static TheoryData<string> Shapes => [.. StreamFixture.Shapes];

    [Theory]
    [MemberData(nameof(Shapes))]
    public async Task The_stream_can_read_and_seek_and_reports_its_position(string shape)
    {
        await using var fixture = new StreamFixture(shape);
        var stream = fixture.Stream;

        Assert.True(stream.CanRead && stream.CanSeek && !stream.CanWrite && !stream.CanTimeout);
        Assert.Equal((fixture.Bytes.Length, 0), (stream.Length, stream.Position));
        Assert.Throws<NotSupportedException>(() => stream.SetLength(1));
        Assert.Throws<NotSupportedException>(() => stream.Write([1], 0, 1));
        Assert.Throws<NotSupportedException>(() => stream.WriteByte(1));
        stream.Flush();
        await stream.FlushAsync();
    }

    [Theory]
    [MemberData(nameof(Shapes))]
    public async Task Every_read_method_gives_the_right_bytes(string shape)
    {
        Func<Stream, byte[], Task<int>>[] ways =
        [
            (s, b) => Task.FromResult(s.Read(b, 0, b.Length)),
            (s, b) => Task.FromResult(s.Read(b.AsSpan())),
            (s, b) => s.ReadAsync(b, 0, b.Length),
            (s, b) => s.ReadAsync(b.AsMemory()).AsTask(),
            (s, b) => Task.Factory.FromAsync(s.BeginRead, s.EndRead, b, 0, b.Length, state: null),
            (s, b) =>
            {
                var one = s.ReadByte();
                b[0] = (byte)one;
                return Task.FromResult(one < 0 ? 0 : 1);
            },
        ];
        foreach (var read in ways)
        {
            await using var fixture = new StreamFixture(shape);
            using var all = new MemoryStream();
            var buffer = new byte[777];
            while (await read(fixture.Stream, buffer) is > 0 and var count)
            {
                all.Write(buffer, 0, count);
                Assert.Equal(all.Length, fixture.Stream.Position);
            }

            Assert.Equal(fixture.Bytes, all.ToArray());
            Assert.Equal(0, await read(fixture.Stream, buffer));
        }
    }

    [Theory]
    [MemberData(nameof(Shapes))]
    public async Task Reading_zero_bytes_opens_nothing(string shape)
    {
        await using var fixture = new StreamFixture(shape);

        Assert.Equal(0, fixture.Stream.Read([], 0, 0));
        Assert.Equal(0, fixture.Stream.Read(default(Span<byte>)));
        Assert.Equal(0, await fixture.Stream.ReadAsync(Memory<byte>.Empty));
        Assert.Equal(0, fixture.Stream.Position);
        Assert.Equal(0, fixture.ReadersOpened);
    }

    [Theory]
    [MemberData(nameof(Shapes))]
    public async Task Reading_past_the_end_returns_zero(string shape)
    {
        await using var fixture = new StreamFixture(shape);
        var stream = fixture.Stream;
        foreach (var position in new[] { stream.Length, stream.Length + 1, long.MaxValue })
        {
            stream.Position = position;
            Assert.Equal(0, stream.Read(new byte[10]));
            Assert.Equal(0, await stream.ReadAsync(new byte[10]));
            Assert.Equal(-1, stream.ReadByte());
            using var copy = new MemoryStream();
            await stream.CopyToAsync(copy);
            stream.CopyTo(copy);
            Assert.Equal(0, copy.Length);
            Assert.Equal(position, stream.Position);
        }

        Assert.Equal(0, fixture.ReadersOpened);
    }

    [Theory]
    [MemberData(nameof(Shapes))]
    public async Task Seeking_follows_the_stream_contract(string shape)
    {
        await using var fixture = new StreamFixture(shape);
        var stream = fixture.Stream;

        Assert.Equal(5, stream.Seek(5, SeekOrigin.Begin));
        Assert.Equal(3, stream.Seek(-2, SeekOrigin.Current));
        Assert.Equal(stream.Length - 1, stream.Seek(-1, SeekOrigin.End));
        Assert.Equal(stream.Length + 9, stream.Seek(10, SeekOrigin.Current));

        stream.Position = 4;
        Assert.Throws<IOException>(() => stream.Seek(-1, SeekOrigin.Begin));
        Assert.Throws<IOException>(() => stream.Seek(-5, SeekOrigin.Current));
        Assert.Throws<IOException>(() => stream.Seek(-stream.Length - 1, SeekOrigin.End));
        Assert.Throws<IOException>(() => stream.Seek(long.MinValue, SeekOrigin.Current));
        Assert.Throws<ArgumentOutOfRangeException>(() => stream.Seek(long.MaxValue, SeekOrigin.Current));
        Assert.Throws<ArgumentException>(() => stream.Seek(0, (SeekOrigin)3));
        Assert.Throws<ArgumentOutOfRangeException>(() => stream.Position = -1);
        Assert.Equal(4, stream.Position);
        Assert.Equal(0, fixture.ReadersOpened);
    }

    [Theory]
    [MemberData(nameof(Shapes))]
    public async Task Arguments_are_checked(string shape)
    {
        await using var fixture = new StreamFixture(shape);
        var stream = fixture.Stream;
        var buffer = new byte[10];

        Assert.Throws<ArgumentNullException>(() => { stream.Read(null!, 0, 0); });
        Assert.Throws<ArgumentOutOfRangeException>(() => { stream.Read(buffer, -1, 1); });
        Assert.Throws<ArgumentOutOfRangeException>(() => { stream.Read(buffer, 0, -1); });
        Assert.Throws<ArgumentOutOfRangeException>(() => { stream.Read(buffer, 5, 6); });
        Assert.Throws<ArgumentOutOfRangeException>(() => { stream.Read(buffer, 11, 0); });
        await Assert.ThrowsAsync<ArgumentNullException>(() => stream.ReadAsync(null!, 0, 0));
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => stream.ReadAsync(buffer, 5, 6));
        Assert.Throws<ArgumentOutOfRangeException>(() => { stream.BeginRead(buffer, 5, 6, callback: null, state: null); });
        Assert.Throws<ArgumentNullException>(() => stream.CopyTo(null!));
        await Assert.ThrowsAsync<ArgumentNullException>(() => stream.CopyToAsync(null!));
        await Assert.ThrowsAsync<ArgumentOutOfRangeException>(() => stream.CopyToAsync(Stream.Null, 0));
        await Assert.ThrowsAsync<NotSupportedException>(() => stream.CopyToAsync(new MemoryStream(buffer, writable: false)));
        using var disposed = new MemoryStream();
        await disposed.DisposeAsync();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => stream.CopyToAsync(disposed));
    }

    [Theory]
    [MemberData(nameof(Shapes))]
    public async Task After_disposal_every_member_but_disposal_throws(string shape)
    {
        foreach (var dispose in new Func<Stream, ValueTask>[]
            { s => s.DisposeAsync(), s => { s.Dispose(); return default; }, s => { s.Close(); return default; } })
        {
            await using var fixture = new StreamFixture(shape);
            var stream = fixture.Stream;
            stream.ReadByte();
            await dispose(stream);
            await dispose(stream);
            await stream.DisposeAsync();

            Assert.False(stream.CanRead || stream.CanSeek || stream.CanWrite);
            Assert.Throws<ObjectDisposedException>(() => stream.Length);
            Assert.Throws<ObjectDisposedException>(() => stream.Position);
            Assert.Throws<ObjectDisposedException>(() => stream.Position = 0);
            Assert.Throws<ObjectDisposedException>(() => stream.Seek(0, SeekOrigin.Begin));
            Assert.Throws<ObjectDisposedException>(() => stream.ReadByte());
            Assert.Throws<ObjectDisposedException>(() => { stream.Read(new byte[1], 0, 1); });
            Assert.Throws<ObjectDisposedException>(() => { stream.Read(default(Span<byte>)); });
            await Assert.ThrowsAsync<ObjectDisposedException>(async () => await stream.ReadAsync(new byte[1]));
            await Assert.ThrowsAsync<ObjectDisposedException>(() => stream.CopyToAsync(Stream.Null));
            Assert.Throws<ObjectDisposedException>(() => stream.CopyTo(Stream.Null));
        }
    }

    [Theory]
    [MemberData(nameof(Shapes))]
    public async Task A_cancelled_token_cancels_without_moving_the_position(string shape)
    {
        await using var fixture = new StreamFixture(shape);
        using var cancelled = new CancellationTokenSource();
        await cancelled.CancelAsync();

        var read = await Assert.ThrowsAnyAsync<OperationCanceledException>(
            async () => await fixture.Stream.ReadAsync(new byte[1], cancelled.Token));
        var copy = await Assert.ThrowsAnyAsync<OperationCanceledException>(() => fixture.Stream.CopyToAsync(Stream.Null, cancelled.Token));

        Assert.Equal((cancelled.Token, cancelled.Token), (read.CancellationToken, copy.CancellationToken));
        Assert.Equal((0, 0), (fixture.Stream.Position, fixture.ReadersOpened));
        Assert.Equal(fixture.Bytes[0], fixture.Stream.ReadByte());
    }

    [Theory]
    [MemberData(nameof(Shapes))]
    public async Task Copying_from_any_position_gives_the_rest(string shape)
    {
        await using var fixture = new StreamFixture(shape);
        foreach (var position in new[] { 0, 1, 999, 1000, 1001, 2500, fixture.Bytes.Length - 1, fixture.Bytes.Length }.Where(
            p => p <= fixture.Bytes.Length))
        {
            foreach (var readFirst in new[] { 0, 1, 1500 })
            {
                foreach (var async in new[] { true, false })
                {
                    fixture.Stream.Position = position;
                    var skipped = fixture.Stream.ReadAtLeast(new byte[readFirst], readFirst, throwOnEndOfStream: false);
                    using var copy = new MemoryStream();
                    if (async)
                        await fixture.Stream.CopyToAsync(copy);
                    else
                        fixture.Stream.CopyTo(copy);
                    Assert.Equal(fixture.Bytes[(position + skipped)..], copy.ToArray());
                    Assert.Equal(fixture.Bytes.Length, fixture.Stream.Position);
                }
            }
        }
    }

    [Theory]
    [MemberData(nameof(Shapes))]
    public async Task Random_operations_agree_with_a_memory_stream(string shape)
    {
        for (var seed = 0; seed < 20; seed++)
        {
            await using var fixture = new StreamFixture(shape);
            using var oracle = new MemoryStream(fixture.Bytes, writable: false);
            var random = new Random(seed);
            for (var step = 0; step < 200; step++)
            {
                await StepAsync(random, fixture.Stream, oracle);
                Assert.Equal(oracle.Position, fixture.Stream.Position);
            }
        }
    }

    private static async Task StepAsync(Random random, Stream stream, MemoryStream oracle)
    {
        var size = random.Next(0, 3000);
        var actual = new byte[size];
        var expected = new byte[size];
        switch (random.Next(7))
        {
            case 0:
                var to = random.Next(0, (int)oracle.Length + 10);
                stream.Position = oracle.Position = to;
                break;
            case 1:
                var by = random.Next(-500, 500);
                if (oracle.Position + by < 0)
                    Assert.Throws<IOException>(() => stream.Seek(by, SeekOrigin.Current));
                else
                    Assert.Equal(oracle.Seek(by, SeekOrigin.Current), stream.Seek(by, SeekOrigin.Current));
                break;
            case 2:
                Assert.Equal(oracle.ReadByte(), stream.ReadByte());
                break;
            case 3:
                Assert.Equal(oracle.ReadAtLeast(expected, size, false), stream.ReadAtLeast(actual, size, false));
                break;
            case 4:
                Assert.Equal(oracle.ReadAtLeast(expected, size, false), await stream.ReadAtLeastAsync(actual, size, false));
                break;
            case 5:
                // A single read may give less than asked for, but something.
                var count = await stream.ReadAsync(actual);
                Assert.Equal(count == 0, size == 0 || oracle.Position >= oracle.Length);
                oracle.ReadExactly(expected, 0, count);
                break;
            default:
                if (random.Next(5) > 0)
                    break;
                using (MemoryStream a = new(), b = new())
                {
                    await stream.CopyToAsync(a);
                    oracle.CopyTo(b);
                    Assert.Equal(b.ToArray(), a.ToArray());
                }

                break;
        }

        Assert.Equal(expected, actual);
    }
}
