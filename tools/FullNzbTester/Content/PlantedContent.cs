using NzbDav.Content;
using NzbDav.FullNzbTester.Options;
using NzbDav.FullNzbTester.Processes;

namespace NzbDav.FullNzbTester.Content;

/// <summary>Content with one planted fault, which strikes the first reader that reaches it. Tests the tester.</summary>
/// <param name="inner">The content without the fault.</param>
/// <param name="fault">What goes wrong.</param>
/// <param name="at">The byte at which it does.</param>
/// <param name="delay">Lets time pass.</param>
internal sealed class PlantedContent(IContent inner, PlantedFault fault, long at, Func<TimeSpan, CancellationToken, Task> delay)
    : DelegatingContent(inner)
{
    private static readonly TimeSpan Delay = TimeSpan.FromSeconds(2);

    private int _struck;

    public override ContentReader OpenReader(long start, long end, ReadIntent intent) =>
        new Reader(this, Inner.OpenReader(start, end, intent), end, intent);

    private sealed class Reader(PlantedContent owner, ContentReader reader, long end, ReadIntent intent) : DelegatingReader(reader)
    {
        public override async ValueTask<ContentLease> NextAsync(CancellationToken cancellationToken)
        {
            var position = Inner!.Position;
            var lease = await Inner!.NextAsync(cancellationToken);
            var strikes = owner.Place >= position && owner.Place < position + lease.Length
                && Interlocked.Exchange(ref owner._struck, 1) == 0;
            return strikes ? await StrikeAsync(lease, position, cancellationToken) : lease;
        }

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
                    var before = Inner!;
                    Inner = owner.Inner.OpenReader(Math.Min(position + MockPost.ArticleSize, end), end, intent);
                    await before.DisposeAsync();
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

    private PlantedFault Fault => fault;

    private long Place => at;

    private Task WaitAsync(TimeSpan time, CancellationToken cancellationToken) => delay(time, cancellationToken);
}
