using NzbDav.Catalog.Health;
using NzbDav.Catalog.Tree;

namespace NzbDav.Library.Health;

/// <summary>Finds another post of the same release in the library and lets a file read from it.</summary>
/// <param name="tools">What it works with.</param>
internal sealed class TwinSearch(HealthTools tools)
{
    /// <summary>Articles of the other post that are asked for.</summary>
    private const int Asked = 24;

    /// <returns>The other post's name; null: there is none whose articles are there.</returns>
    public async Task<string?> ReplaceAsync(CatalogItem file, HealthPost post, IReadOnlyList<string> accounts, CheckQuota quota, CancellationToken cancellationToken)
    {
        foreach (var twin in await tools.Store.FindTwinsAsync(file, post, cancellationToken))
        {
            if (!await IsThereAsync(twin, accounts, quota, cancellationToken) || !await tools.Reader.PlaysAsync(twin, cancellationToken))
                continue;

            // If neither can be compared by content, name and length decide; for small files they are not enough.
            var same = await tools.Reader.AreSameAsync(file, twin, cancellationToken);
            if (!(same ?? (file.Name == twin.Name && file.Size >= 1 << 20)))
                continue;
            if (await tools.Store.SwapAsync(file.Id, twin.Id, tools.Time.GetUtcNow(), cancellationToken))
                return (await tools.Store.FindByFileAsync(twin.Id, cancellationToken))?.Name ?? twin.Name;
        }

        return null;
    }

    private async Task<bool> IsThereAsync(CatalogItem twin, IReadOnlyList<string> accounts, CheckQuota quota, CancellationToken cancellationToken)
    {
        var articles = await PostArticles.ReadAsync([twin], tools.Maps, cancellationToken);
        if (articles.Count == 0)
            return false;
        for (var i = 0; i < Math.Min(Asked, articles.Count); i++)
        {
            if (articles.At((int)((long)i * (articles.Count - 1) / Math.Max(1, Math.Min(Asked, articles.Count) - 1))) is not { } article)
                return false;
            if (!await HasAsync(article.Article, accounts, quota, cancellationToken))
                return false;
        }

        return true;
    }

    private async Task<bool> HasAsync(string article, IReadOnlyList<string> accounts, CheckQuota quota, CancellationToken cancellationToken)
    {
        foreach (var account in accounts)
        {
            if (!await quota.TryStatAsync(cancellationToken))
                return false;
            if (await tools.Asker.StatAsync(account, article, cancellationToken) == ArticleAnswer.Has)
                return true;
        }

        return tools.Asker.IsMade(article);
    }
}
