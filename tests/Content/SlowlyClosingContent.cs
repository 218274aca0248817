namespace NzbDav.Content.Tests;

/// <summary>Readers whose disposal waits for a task.</summary>
internal sealed class SlowlyClosingContent(IContent inner, Task gate) : IContent
{
    private int _closing;

    public long Length => inner.Length;

    /// <summary>Disposals begun.</summary>
    public int Closing => Volatile.Read(ref _closing);

    public ContentReader OpenReader(long start, long end, ReadIntent intent) => new Reader(this, inner.OpenReader(start, end, intent));

    private sealed class Reader(SlowlyClosingContent owner, ContentReader reader) : ContentReader
    {
        public override long Position => reader.Position;

        public override ValueTask<ContentLease> NextAsync(CancellationToken cancellationToken) => reader.NextAsync(cancellationToken);

        public override async ValueTask DisposeAsync()
        {
            Interlocked.Increment(ref owner._closing);
            await owner.Gate;
            await reader.DisposeAsync();
        }
    }

    private Task Gate => gate;
}
