using System.Globalization;
using NzbDav.Content;

namespace NzbDav.Import;

/// <summary>
/// Tells a post that is dead from one that has a hole: asks for articles spread over all of it, on all providers. A yes to STAT is believed, a no only
/// when the article itself cannot be had either; silence proves nothing.
/// </summary>
internal sealed class SurvivalCheck(ImportTools tools, ArticleSurvey survey)
{
    /// <summary>
    /// Articles that are looked at. Of a post that has lost a tenth 48 miss the loss entirely in 6 of 1000 cases, and they cost two or three round trips
    /// without payload.
    /// </summary>
    public const int Sample = 48;

    /// <summary>Of those that STAT denies, so many are asked for themselves.</summary>
    private const int Proofs = 6;

    /// <summary>Fewer than so many losses are holes, however small the post is.</summary>
    private const int FewestLosses = 2;

    /// <returns>Null when the post lives.</returns>
    public async Task<ImportFailure?> RunAsync(IReadOnlyList<ContentFile> files, CancellationToken cancellationToken)
    {
        var total = files.Sum(file => (long)file.Map.Segments.Count);
        var count = (int)Math.Min(Sample, total);
        if (count == 0)
            return null;
        var asked = new (string File, SegmentKey Key)[count];
        for (int i = 0, file = 0; i < count; i++)
        {
            // From the first to the last: evenly, both ends included.
            var place = count == 1 ? 0 : (total - 1) * i / (count - 1);
            asked[i] = At(files, place, ref file);
        }

        var stats = await Task.WhenAll(asked.Select(one => survey.StatAsync(one.Key, cancellationToken)));
        var known = stats.Count(stat => stat.Outcome is SegmentOutcome.Found or SegmentOutcome.Missing);
        var denied = Enumerable.Range(0, count).Where(i => stats[i].Outcome == SegmentOutcome.Missing).ToArray();
        if (!IsTooMany(denied.Length, known))
        {
            // Neither proven dead nor alive, because some providers do not answer: wait for them.
            var silent = Array.FindIndex(stats, stat => stat.Outcome is not (SegmentOutcome.Found or SegmentOutcome.Missing));
            return silent >= 0 && IsTooMany(denied.Length + count - known, count) ? ImportFailure.OfArticles(ImportFailure.Unavailable, asked[silent].File, stats[silent].Reason) : null;
        }

        return await ProveAsync([.. denied.Select(i => asked[i])], known, cancellationToken);
    }

    private static (string File, SegmentKey Key) At(IReadOnlyList<ContentFile> files, long place, ref int file)
    {
        long before = 0;
        for (file = 0; place - before >= files[file].Map.Segments.Count; file++)
            before += files[file].Map.Segments.Count;
        var segments = files[file].Map.Segments;
        return (files[file].Name, SegmentKey.Unknown(segments.Id((int)(place - before))) with { PostedDay = segments.PostedDay });
    }

    private bool IsTooMany(double gone, int known) => gone >= FewestLosses && gone > known * tools.Options.MostMissing;

    /// <summary>Some servers deny what they have: the articles themselves decide.</summary>
    private async Task<ImportFailure?> ProveAsync((string File, SegmentKey Key)[] denied, int known, CancellationToken cancellationToken)
    {
        var step = Math.Max(1, denied.Length / Proofs);
        var tried = denied.Where((_, i) => i % step == 0).Take(Proofs).ToArray();
        var probes = await Task.WhenAll(tried.Select(one => tools.Usenet.ProbeAsync(one.Key, FetchPriority.Import, headBytes: 0, cancellationToken)));
        var told = probes.Count(probe => probe.Outcome != SegmentOutcome.Unavailable);
        var gone = probes.Count(probe => probe.Outcome is SegmentOutcome.Missing or SegmentOutcome.Corrupt);
        if (told == 0)
            return ImportFailure.OfArticles(ImportFailure.Unavailable, tried[0].File, probes[0].Reason);
        var share = denied.Length * ((double)gone / told);
        if (!IsTooMany(share, known))
            return null;
        var first = Array.FindIndex(probes, probe => probe.Outcome is SegmentOutcome.Missing or SegmentOutcome.Corrupt);
        return new ImportFailure(ImportFailure.Missing, string.Create(
            CultureInfo.InvariantCulture,
            $"Too many articles of this post are gone: about {share:0} of {known} looked at, spread over all its files. '{tried[first].File}': {probes[first].Reason}"));
    }
}
