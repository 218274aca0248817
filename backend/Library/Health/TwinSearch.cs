using NzbDav.Catalog.Health;
using NzbDav.Catalog.Tree;

namespace NzbDav.Library.Health;

/// <summary>Finds another post of the same release in the library and lets a file read from it.</summary>
/// <param name="tools">The dependencies.</param>
internal sealed class TwinSearch(HealthTools tools)
{
    /// <summary>How many articles of the other post are asked for.</summary>
    private const int SampleSize = 24;

    /// <returns>The name of the other post that the file reads from now; null: no other post has its articles. IsUnclear: one might have
    /// them, but not every provider answered.</returns>
    public async Task<(string? Name, bool IsUnclear)> ReplaceAsync(
        CatalogItem file, HealthPost post, CheckQuota quota, CancellationToken cancellationToken)
    {
        var isUnclear = false;
        foreach (var twin in await tools.Store.FindTwinsAsync(file, post, cancellationToken))
        {
            var answer = await ProbeTwinAsync(twin, quota, cancellationToken);
            isUnclear |= answer == ArticleAnswer.Unknown;
            if (answer != ArticleAnswer.Has || !await tools.Reader.PlaysAsync(twin, cancellationToken))
                continue;

            // If the two cannot be compared, name and length decide. For small files that is not enough.
            var same = await tools.Reader.AreSameAsync(file, twin, cancellationToken);
            if (!(same ?? (file.Name == twin.Name && file.Size >= 1 << 20)))
                continue;
            if (await tools.Store.SwapAsync(file.Id, twin.Id, tools.Time.GetUtcNow(), cancellationToken))
                return ((await tools.Store.FindByFileAsync(twin.Id, cancellationToken))?.Name ?? twin.Name, false);
        }

        return (null, isUnclear);
    }

    /// <summary>Asks for a sample of the other post's articles: <see cref="ArticleAnswer.Has"/> if all of them are there.</summary>
    private async Task<ArticleAnswer> ProbeTwinAsync(CatalogItem twin, CheckQuota quota, CancellationToken cancellationToken)
    {
        var articles = await PostArticles.ReadAsync([twin], tools.Maps, cancellationToken);
        if (articles.Count == 0)
            return ArticleAnswer.Missing;
        for (var i = 0; i < Math.Min(SampleSize, articles.Count); i++)
        {
            if (articles.At((int)((long)i * (articles.Count - 1) / Math.Max(1,
                Math.Min(SampleSize, articles.Count) - 1))) is not { } article)
                return ArticleAnswer.Missing;
            var answer = await ProbeArticleAsync(article.Article, quota, cancellationToken);
            if (answer != ArticleAnswer.Has)
                return answer;
        }

        return ArticleAnswer.Has;
    }

    private async Task<ArticleAnswer> ProbeArticleAsync(string article, CheckQuota quota, CancellationToken cancellationToken)
    {
        if (tools.Prober.HasPatch(article))
            return ArticleAnswer.Has;
        var none = ArticleAnswer.Missing;
        foreach (var account in tools.Prober.Accounts)
        {
            var answer = account.IsUp && await quota.TryStatAsync(cancellationToken)
                ? await tools.Prober.StatAsync(account.Name, article, cancellationToken) : ArticleAnswer.Unknown;
            if (answer == ArticleAnswer.Has)
                return answer;
            if (answer == ArticleAnswer.Unknown)
                none = answer;
        }

        return none;
    }
}
