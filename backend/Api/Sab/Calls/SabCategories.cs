using System.Collections.Frozen;
using NzbDav.Catalog.Jobs;
using NzbDav.Catalog.Settings;
using NzbDav.Catalog.Tree;
using NzbDav.Import.Names;
using NzbDav.Import.Options;

namespace NzbDav.Api.Sab.Calls;

/// <summary>The categories: folders below <c>/content</c>. Using a new name creates the category.</summary>
internal sealed class SabCategories(TreeStore tree, Live<ImportOptions> options)
{
    /// <summary>What clients of SABnzbd send for "no category".</summary>
    private static readonly FrozenSet<string> NoCategory = FrozenSet.Create(StringComparer.OrdinalIgnoreCase, "default", "none");

    /// <summary>All categories, by name.</summary>
    public async ValueTask<IReadOnlyList<string>> ListAsync(CancellationToken cancellationToken)
    {
        var names = new SortedSet<string>(options.Value.Categories, StringComparer.Ordinal);
        if (await tree.ResolveAsync([JobStore.ContentCollection], cancellationToken) is { } content)
        {
            await foreach (var child in tree.ListAsync(content.Id, after: null, cancellationToken))
            {
                if (child.IsCollection)
                    names.Add(child.Name);
            }
        }

        return [.. names];
    }

    /// <summary>
    /// The category of a job as shown to a client. A client that adds a job without a category later looks for <c>*</c>, SABnzbd's name for
    /// no category: those are the jobs of the default folder. A client that asks for a folder by name gets that name, in its own spelling.
    /// </summary>
    /// <param name="category">The job's.</param>
    /// <param name="asked">The categories that the call requests; null: all.</param>
    public string Shown(string category, string[]? asked)
    {
        if (asked is null)
            return category == options.Value.DefaultCategory ? "*" : category;
        return asked.Contains(category, StringComparer.Ordinal)
            ? category
            : asked.FirstOrDefault(name => name.Equals(category, StringComparison.OrdinalIgnoreCase)) ?? category;
    }

    /// <summary>The requested categories as jobs spell them, ignoring case like <see cref="ChooseAsync"/>. Null for all.</summary>
    public async ValueTask<string[]?> MatchAsync(string[]? asked, CancellationToken cancellationToken) => asked is null
        ? null
        : [.. (await ListAsync(cancellationToken)).Where(name => asked.Contains(name, StringComparer.OrdinalIgnoreCase))
            .Union(asked, StringComparer.Ordinal)];

    /// <summary>The category for a requested name: an existing one if it differs only in case, otherwise a new one; null if the name cannot
    /// be a folder name.</summary>
    public async ValueTask<string?> ChooseAsync(string? asked, CancellationToken cancellationToken)
    {
        if (asked is null or "*" || NoCategory.Contains(asked))
            return options.Value.DefaultCategory;
        var known = await ListAsync(cancellationToken);
        if (known.Contains(asked, StringComparer.Ordinal))
            return asked;
        return SafeName.Of(asked) == asked
            ? known.FirstOrDefault(name => name.Equals(asked, StringComparison.OrdinalIgnoreCase)) ?? asked : null;
    }
}
