using System.IO.Pipelines;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.WebDav.Files;

namespace NzbDav.WebDav.Tests;

public sealed class PausedClientTests
{
    private const int Length = 2_000_000;

    [Theory]
    [InlineData(256 << 10)]
    [InlineData(700_000)]
    public async Task A_client_that_does_not_read_holds_no_lease(int segment)
    {
        var pool = new DiagnosticBufferPool();
        var bytes = SeededBytes.Make(1, Length);
        var content = new MemoryContent(bytes, segment, pool);
        var pieces = new SendPieces();
        var pipe = new Pipe(
            new PipeOptions(pauseWriterThreshold: segment + 1, resumeWriterThreshold: segment, useSynchronizationContext: false));
        var reader = content.OpenReader(0, Length, ReadIntent.Playback);

        // The first lease fits into the pipe; the second waits for space in it.
        var sending = BodyPump.SendAsync(reader, null, Length, pipe.Writer, pieces, new SendMetrics(null, TimeProvider.System),
            stream: null, CancellationToken.None).AsTask();
        Assert.False(sending.IsCompleted);
        Assert.Equal(segment <= SendPieces.Most ? 0 : 1, pool.Rented);

        var received = new List<byte>();
        while (received.Count < Length)
        {
            var read = await pipe.Reader.ReadAsync();
            foreach (var part in read.Buffer)
                received.AddRange(part.Span);
            pipe.Reader.AdvanceTo(read.Buffer.End);
        }

        Assert.Equal(BodyOutcome.Sent, await sending);
        Assert.True(bytes.AsSpan().SequenceEqual(received.ToArray()));
        await reader.DisposeAsync();
        pool.AssertAllReturned();
    }

    [Theory]
    [InlineData(0, 256)]
    [InlineData(1, 256)]
    [InlineData(64, 256)]
    [InlineData(128, 128)]
    [InlineData(250, 65)]
    [InlineData(1000, 64)]
    public void With_many_responses_pieces_get_smaller(int open, int kibibytes)
    {
        var pieces = new SendPieces();
        for (var i = 0; i < open; i++)
            pieces.Opened();
        Assert.Equal(kibibytes, pieces.Size >> 10);
        for (var i = 0; i < open; i++)
            pieces.Closed();
        Assert.Equal(SendPieces.Most, pieces.Size);
    }
}
