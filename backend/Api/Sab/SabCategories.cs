using System.Collections.Frozen;
using NzbDav.Catalog;
using NzbDav.Import;

namespace NzbDav.Api.Sab;

/// <summary>The categories: folders below <c>/content</c>. A new one may be made by anybody who uses it.</summary>
internal sealed class SabCategories(TreeStore tree, Live<ImportOptions> options)
{
    /// <summary>What SABnzbd's clients send for no category.</summary>
    private static readonly FrozenSet<string> NoCategory = FrozenSet.Create(StringComparer.OrdinalIgnoreCase, "default", "none");

    /// <summary>By name.</summary>
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
    /// What a client is told a job's category to be. Who names none when bringing a job looks for <c>*</c> among all jobs afterwards, as SABnzbd calls what has no category: those are the
    /// jobs of the default folder. Who asks for that folder by its name gets its name.
    /// </summary>
    /// <param name="category">The job's.</param>
    /// <param name="asked">Those that the call is about; null: all.</param>
    public string Shown(string category, string[]? asked) => asked is null && category == options.Value.DefaultCategory ? "*" : category;

    /// <summary>What a job goes to that asks for this: the spelling that is there, if one is; null if it cannot be a folder.</summary>
    public async ValueTask<string?> ChooseAsync(string? asked, CancellationToken cancellationToken)
    {
        if (asked is null or "*" || NoCategory.Contains(asked))
            return options.Value.DefaultCategory;
        var known = await ListAsync(cancellationToken);
        if (known.Contains(asked, StringComparer.Ordinal))
            return asked;
        return SafeName.Of(asked) == asked ? known.FirstOrDefault(name => name.Equals(asked, StringComparison.OrdinalIgnoreCase)) ?? asked : null;
    }
}
