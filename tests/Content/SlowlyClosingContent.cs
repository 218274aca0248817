namespace NzbDav.Content.Tests;

/// <summary>Readers whose disposal waits for a task.</summary>
internal sealed class SlowlyClosingContent(IContent inner, Task gate) : DelegatingContent(inner)
{
    private int _closing;

    /// <summary>Disposals begun.</summary>
    public int Closing => Volatile.Read(ref _closing);

    public override ContentReader OpenReader(long start, long end, ReadIntent intent) =>
        new Reader(this, base.OpenReader(start, end, intent));

    private sealed class Reader(SlowlyClosingContent owner, ContentReader reader) : DelegatingReader(reader)
    {
        public override async ValueTask DisposeAsync()
        {
            Interlocked.Increment(ref owner._closing);
            await owner.Gate;
            await base.DisposeAsync();
        }
    }

    private Task Gate => gate;
}
