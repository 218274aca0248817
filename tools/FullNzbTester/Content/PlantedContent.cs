using NzbDav.Content;
using NzbDav.FullNzbTester.Options;
using NzbDav.FullNzbTester.Processes;

namespace NzbDav.FullNzbTester.Content;

/// <summary>Content with one planted fault, which strikes the first reader that reaches it. Tests the tester.</summary>
/// <param name="inner">The content without the fault.</param>
/// <param name="fault">What goes wrong.</param>
/// <param name="at">The byte at which it does.</param>
/// <param name="delay">Lets time pass.</param>
internal sealed class PlantedContent(IContent inner, PlantedFault fault, long at, Func<TimeSpan, CancellationToken, Task> delay) : IContent
{
    private static readonly TimeSpan Delay = TimeSpan.FromSeconds(2);

    private int _struck;

    public long Length => inner.Length;

    public ContentReader OpenReader(long start, long end, ReadIntent intent) =>
        new Reader(this, inner.OpenReader(start, end, intent), end, intent);

    private sealed class Reader(PlantedContent owner, ContentReader reader, long end, ReadIntent intent) : DelegatingReader(reader)
    {
        public override long Position => Inner!.Position;

        public override async ValueTask<ContentLease> NextAsync(CancellationToken cancellationToken)
        {
            var position = Inner!.Position;
            var lease = await Inner!.NextAsync(cancellationToken);
            var strikes = owner.Place >= position && owner.Place < position + lease.Length
                && Interlocked.Exchange(ref owner._struck, 1) == 0;
            return strikes ? await StrikeAsync(lease, position, cancellationToken) : lease;
        }

        public override ValueTask DisposeAsync() => Inner!.DisposeAsync();

        private async ValueTask<ContentLease> StrikeAsync(ContentLease lease, long position, CancellationToken cancellationToken)
        {
            switch (owner.Fault)
            {
                case PlantedFault.Flip:
                    var bytes = lease.Memory.ToArray();
                    lease.Dispose();
                    bytes[owner.Place - position] ^= 1;
                    return ContentLease.Of(bytes);
                case PlantedFault.Skip:
                    lease.Dispose();
                    await Inner!.DisposeAsync();
                    Inner = owner.Inner.OpenReader(Math.Min(position + MockPost.ArticleSize, end), end, intent);
                    return await Inner!.NextAsync(cancellationToken);
                case PlantedFault.Delay:
                    await owner.WaitAsync(Delay, cancellationToken);
                    return lease;
                case PlantedFault.Leak:
                    // This lease owns nothing: disposing it leaves the first one open.
                    return ContentLease.Of(lease.Memory);
                default:
                    return lease;
            }
        }
    }

    private IContent Inner => inner;

    private PlantedFault Fault => fault;

    private long Place => at;

    private Task WaitAsync(TimeSpan time, CancellationToken cancellationToken) => delay(time, cancellationToken);
}
