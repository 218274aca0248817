using System.Globalization;
using NzbDav.Content;
using NzbDav.Import.Options;
using NzbDav.Import.Probing;
using NzbDav.Import.Progress;

namespace NzbDav.Import.Steps;

/// <summary>
/// Distinguishes a dead post from one that has a hole: asks all providers for articles spread over all of it. A positive answer to STAT is
/// accepted. A negative one counts only if the article itself cannot be fetched either. No answer proves nothing.
/// </summary>
internal sealed class SurvivalCheck(ImportTools tools, ArticleSurvey survey)
{
    /// <summary>Most articles denied by STAT that are then fetched as proof.</summary>
    private const int Proofs = 6;

    /// <summary>Fewer losses than this are holes, however small the post is.</summary>
    private const int FewestLosses = 2;

    /// <returns>Null if the post is not dead.</returns>
    public async Task<ImportFailure?> RunAsync(IReadOnlyList<ContentFile> files, CancellationToken cancellationToken)
    {
        var total = files.Sum(file => (long)file.Map.Segments.Count);
        var count = (int)Math.Min(ArticleSurvey.Sample, total);
        if (count == 0)
            return null;
        var asked = new (string File, SegmentKey Key)[count];
        for (int i = 0, file = 0; i < count; i++)
        {
            // Evenly spread, including the first and the last article.
            var place = count == 1 ? 0 : (total - 1) * i / (count - 1);
            asked[i] = At(files, place, ref file);
        }

        var stats = await Task.WhenAll(asked.Select(one => survey.StatAsync(one.Key, cancellationToken)));
        var known = stats.Count(stat => stat.Fault is null or ContentFault.Missing);
        var denied = Enumerable.Range(0, count).Where(i => stats[i].Fault == ContentFault.Missing).ToArray();
        if (!IsTooMany(denied.Length, known))
        {
            // Undecided, because some providers do not answer: wait for them.
            var silent = Array.FindIndex(stats, stat => stat.Fault is not (null or ContentFault.Missing));
            return silent >= 0 && IsTooMany(denied.Length + count - known, count)
                ? ImportFailure.OfArticles(ImportFailure.Unavailable, asked[silent].File, stats[silent].Reason) : null;
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

    /// <summary>
    /// Fetches denied articles, as some servers deny articles that they have. Returns null if too few of them are really gone.
    /// </summary>
    private async Task<ImportFailure?> ProveAsync((string File, SegmentKey Key)[] denied, int known, CancellationToken cancellationToken)
    {
        var step = Math.Max(1, denied.Length / Proofs);
        var tried = denied.Where((_, i) => i % step == 0).Take(Proofs).ToArray();
        var probes = await Task.WhenAll(
            tried.Select(one => tools.Usenet.ProbeAsync(one.Key, FetchPriority.Import, headBytes: 0, cancellationToken)));
        var told = probes.Count(probe => probe.Fault != ContentFault.Unavailable);
        var gone = probes.Count(probe => probe.Fault is ContentFault.Missing or ContentFault.Corrupt);
        if (told == 0)
            return ImportFailure.OfArticles(ImportFailure.Unavailable, tried[0].File, probes[0].Reason);
        var share = denied.Length * ((double)gone / told);
        if (!IsTooMany(share, known))
            return null;
        var first = Array.FindIndex(probes, probe => probe.Fault is ContentFault.Missing or ContentFault.Corrupt);
        return new ImportFailure(ImportFailure.Missing, string.Create(
            CultureInfo.InvariantCulture,
            $"Too many articles of this post are gone: about {share:0} of {known} looked at, spread over all its files. " +
            $"'{tried[first].File}': {probes[first].Reason}"));
    }
}
