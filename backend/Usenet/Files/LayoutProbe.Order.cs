using NzbDav.Content;
using NzbDav.Usenet.Articles;
using NzbDav.Usenet.Nntp;

namespace NzbDav.Usenet.Files;

/// <summary>Articles that count their places from 0, or that the .nzb lists in another order than that of their places.</summary>
internal sealed partial class LayoutProbe
{
    /// <summary>Most articles that are read to put them in order: as many as a film of 14 GB has.</summary>
    private const int MostSorted = 20_000;

    /// <summary>Articles that are requested at a time to put them in order.</summary>
    private const int Together = 16;

    /// <summary>
    /// True once it is known that the places of all articles are counted from 0 (<see cref="ArticleHeader.IsFromZero"/>).
    /// </summary>
    private bool _isFromZero;

    /// <summary>
    /// The first article counts its bytes from 0. If the others do so too, their places are one byte further on than they were read; some
    /// posters count so in the first article alone.
    /// </summary>
    private async Task AlignAsync(ArticleHeader first, CancellationToken cancellationToken)
    {
        await ProbeAsync(1, cancellationToken);
        var isAll = _headers[1] is { } second ? second.Begin == first.PartSize - 1 || second is { IsFromZero: true, Begin: > 0 }
            : _headers[^1] is { } end && (end.IsFromZero || end.End == first.FileSize - 1);
        if (!isAll)
            return;
        _isFromZero = true;
        for (var i = 1; i < _headers.Length; i++)
            _headers[i] = _headers[i]?.FromZero();
    }

    /// <summary>True if the last listed article is the file's first, and the first listed one its last.</summary>
    private bool IsReversed() =>
        IsWhole && !IsSorted && _headers[^1] is { Begin: 0 } last && _headers[0] is { Begin: > 0 } first
        && first.Part - last.Part == (first.Part > 0 ? ids.Count - 1 : 0);

    /// <summary>
    /// True if the known headers show that articles are listed in another order than that of their places. Where an article is missing from
    /// the list, the numbers grow faster than the index; in another order, they somewhere grow more slowly.
    /// </summary>
    private bool IsOutOfOrder()
    {
        if (IsSorted || ids.Count > MostSorted)
            return false;
        var known = Enumerable.Range(0, ids.Count).Where(index => _headers[index] is not null).ToArray();
        return known.Zip(known.Skip(1)).Any(pair =>
        {
            var (one, next) = (_headers[pair.First]!, _headers[pair.Second]!);
            return next.Begin <= one.Begin || (one.Part > 0 && next.Part > 0 && next.Part - one.Part < pair.Second - pair.First);
        });
    }

    /// <summary>Reads all articles and lays them out in the order of their places.</summary>
    private async Task<PostLayout> SortAsync(CancellationToken cancellationToken)
    {
        var parallel = new ParallelOptions { MaxDegreeOfParallelism = Together, CancellationToken = cancellationToken };
        await Parallel.ForAsync(0, ids.Count, parallel, async (index, token) => await ProbeAsync(index, token));
        if (_failure is { Outcome: SegmentOutcome.Unavailable })
            return Failed(_failure.Outcome, _failure.Reason!);
        var all = Enumerable.Range(0, ids.Count).ToLookup(index => _headers[index] is not null);
        var present = all[true].OrderBy(index => _headers[index]!.Begin).ToArray();
        var first = _headers[present[0]]!;
        if (first.IsFromZero && present.Length > 1 && _headers[present[1]]!.Begin == first.PartSize - 1)
        {
            foreach (var index in present)
                _headers[index] = _headers[index]!.FromZero();
        }

        // Articles that are gone are as good as each other: any of them stands for any hole.
        var absent = new Queue<int>(all[false]);
        var order = new List<int>(ids.Count);
        var end = IsWhole ? 0 : first.Begin;
        foreach (var index in present)
        {
            for (; end < _headers[index]!.Begin && absent.TryDequeue(out var gone); end += first.PartSize)
                order.Add(gone);
            order.Add(index);
            end = _headers[index]!.End;
        }

        order.AddRange(absent);
        return await SortedAsync(order, cancellationToken);
    }

    /// <summary>Lays the articles out in another order.</summary>
    private Task<PostLayout> SortedAsync(List<int> order, CancellationToken cancellationToken)
    {
        var (asked, known) = (new Dictionary<int, ArticleProbe>(), new Dictionary<int, ArticleHeader>());
        for (var place = 0; place < order.Count; place++)
        {
            if (_headers[order[place]] is { } header)
                known.Add(place, header);
            else if (Asked.TryGetValue(order[place], out var probe))
                asked.Add(place, probe);
        }

        return new LayoutProbe(articles, order.ConvertAll(index => ids[index]), priority)
        {
            IsWhole = IsWhole,
            PostedDay = PostedDay,
            Counted = Counted,
            Asked = asked,
            IsSorted = true,
        }.RunAsync(known, cancellationToken);
    }
}
