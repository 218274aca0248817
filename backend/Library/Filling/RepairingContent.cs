using System.Runtime.CompilerServices;
using NzbDav.Catalog.Tree;
using NzbDav.Content;
using NzbDav.Usenet;
using NzbDav.Usenet.Articles;

namespace NzbDav.Library.Filling;

/// <summary>
/// A posted file whose missing articles are reconstructed while it is read: the reader waits for a repair that is nearly done, then
/// continues.
/// </summary>
/// <param name="inner">The file as posted: positions are those of its extent map.</param>
/// <param name="item">Its row.</param>
/// <param name="usenet">Knows the missing and the reconstructed articles.</param>
/// <param name="repairer">Repairs posts.</param>
internal sealed class RepairingContent(IContent inner, CatalogItem item, UsenetClient usenet, IPostRepairer repairer)
    : DelegatingContent(inner)
{
    private long _seen;

    internal CatalogItem Item => item;

    /// <summary>The articles that readers found missing.</summary>
    internal GoneArticles Gone => usenet.Gone;

    /// <inheritdoc cref="UsenetClient.HasPatch"/>
    internal bool HasPatch(string ids) => usenet.HasPatch(ids);

    internal IPostRepairer Repairer => repairer;

    /// <summary>The extent map as known now; null when the file does not consist of segments.</summary>
    internal ExtentMap? Map => (Inner as ISegmentSource)?.Map;

    public override ContentReader OpenReader(long start, long end, ReadIntent intent)
    {
        var reader = Inner.OpenReader(start, end, intent);

        if (Gone.Additions is var additions && intent is ReadIntent.Playback or ReadIntent.Probe or ReadIntent.Download
            && Interlocked.Exchange(ref _seen, additions) != additions)
            _ = Task.Run(() => BeginKnown(start));

        // The repair itself reads with Import. A check (Health) asks what the providers have.
        return intent is ReadIntent.Import or ReadIntent.Health ? reader : new RepairingReader(this, reader, end);
    }

    /// <summary>Begins the repair of the nearest article that is known to be missing, before the reader reaches it.</summary>
    private void BeginKnown(long start)
    {
        if (Gone.Count == 0 || Map is not { Length: > 0 } map)
            return;
        var first = map.Find(Math.Min(start, map.Length - 1));
        for (var i = 0; i < map.Extents.Length; i++)
        {
            var id = map.Segments.Id(map.Extents[(first + i) % map.Extents.Length].Segment);
            if (Gone.SinceOf(id) is null)
                continue;
            Repairer.Begin(item, id);
            return;
        }
    }
}

/// <summary>Waits at a missing article until it is reconstructed, then reads on.</summary>
/// <param name="content">What is read.</param>
/// <param name="inner">The reader of the posted file; owned.</param>
/// <param name="end">One past the last byte of the range.</param>
internal sealed class RepairingReader(RepairingContent content, ContentReader inner, long end) : DelegatingReader(inner)
{
    /// <summary>
    /// How many extents ahead of the reader missing articles are looked for: some 200 MB, more than a minute of most films.
    /// </summary>
    internal const int Ahead = 256;

    /// <summary>How often one position is read again, including after its repair.</summary>
    private const int MostTries = 3;

    /// <summary>The source of a reader that waits for a repair: see <see cref="ReaderState.Source"/>.</summary>
    internal const string RepairSource = "a repair";

    private long _seen;

    /// <summary>Index of the segment whose repair is awaited; −1: none.</summary>
    private int _repairingSegment = -1;

    /// <summary>The latest wait for a repair, and the inner reader's latest wait at that time.</summary>
    private ReaderWait? _wait;
    private ReaderWait? _before;

    public override ValueTask<ContentLease> NextAsync(CancellationToken cancellationToken)
    {
        if (content.Gone.Additions is var additions && additions != _seen)
            BeginRepairsAhead(additions);
        var next = base.NextAsync(cancellationToken);
        return next.IsCompletedSuccessfully ? next : AwaitAsync(next, cancellationToken);
    }

    public override ReaderState Observe()
    {
        var state = base.Observe();
        if (Volatile.Read(ref _wait) is { } wait && state.LastWait == _before)
            state = state with { LastWait = wait };
        return Volatile.Read(ref _repairingSegment) is >= 0 and var segment
            ? state with { Ahead = 0, Segment = segment, Piece = -1, Source = RepairSource } : state;
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<ContentLease> AwaitAsync(ValueTask<ContentLease> next, CancellationToken cancellationToken)
    {
        for (var (failedAt, times) = (-1L, 0); ;)
        {
            try
            {
                return await next;
            }
            catch (ContentException error) when (error.Fault != ContentFault.Unavailable && content.Map is not null)
            {
                var position = Inner!.Position;
                (failedAt, times) = (position, failedAt == position ? times + 1 : 1);
                var map = content.Map!;
                var segment = map.Extents[map.Find(position)].Segment;
                if (times == 1)
                    await RepairAsync(map, segment, position, error, cancellationToken);

                // Do not repair twice. A fetch that began before the repair may still find the article missing once more.
                else if (times > MostTries || !content.HasPatch(map.Segments.Id(segment)))
                    throw new ContentException(error.Fault, error.Message, error) { Lost = LostAt(map, position) };
            }

            next = Inner!.NextAsync(cancellationToken);
        }
    }

    /// <summary>Why a reader waited for a repair, and how the repair ended.</summary>
    /// <param name="fault">Why the article could not be read.</param>
    /// <param name="outcome">Of the repair.</param>
    internal static string Describe(ContentFault fault, RepairWaitOutcome outcome)
    {
        var lack = fault == ContentFault.Corrupt ? "no provider has a sound copy of it" : "no provider has it";
        return outcome.State == RepairWaitState.Repaired
            ? $"{lack}, and it was made again from the recovery data" : $"{lack}. {outcome.Reason}";
    }

    private static LostRange LostAt(ExtentMap map, long position)
    {
        var extent = map.Extents[map.Find(position)];
        return new LostRange(extent.Bytes, extent.Segment);
    }

    private async Task RepairAsync(ExtentMap map, int segment, long position, ContentException error, CancellationToken cancellationToken)
    {
        RepairWaitOutcome outcome;
        Volatile.Write(ref _repairingSegment, segment);
        try
        {
            outcome = await content.Repairer.RepairAsync(content.Item, map.Segments.Id(segment), cancellationToken);
        }
        finally
        {
            Volatile.Write(ref _repairingSegment, -1);
        }

        if (outcome.Waited >= ReaderWait.Least)
        {
            _before = Inner!.Observe().LastWait;
            Volatile.Write(ref _wait, new ReaderWait(segment, outcome.Waited, Describe(error.Fault, outcome)));
        }

        if (outcome.State == RepairWaitState.Repaired)
            return;
        var message = outcome.Reason is { } reason ? $"{error.Message} {reason}" : error.Message;
        throw new ContentException(outcome.State == RepairWaitState.Running ? ContentFault.Unavailable : error.Fault, message, error)
        { Lost = LostAt(map, position) };
    }

    /// <summary>Begins repairs of missing articles ahead of this reader. Called when another article was found missing.</summary>
    private void BeginRepairsAhead(long additions)
    {
        _seen = additions;
        if (content.Map is not { } map || Inner!.Position >= end)
            return;
        var first = map.Find(Inner!.Position);
        for (var i = first; i < Math.Min(map.Extents.Length, first + Ahead) && map.Extents[i].Start < end; i++)
        {
            if (map.Segments.Id(map.Extents[i].Segment) is var id && content.Gone.SinceOf(id) is not null)
            {
                content.Repairer.Begin(content.Item, id);
                return;
            }
        }
    }
}
