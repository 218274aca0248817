using Microsoft.Extensions.DependencyInjection;
using NzbDav.Api.Sab.Calls;
using NzbDav.Catalog.Torrents;
using NzbDav.Import.Names;
using NzbDav.Library;

namespace NzbDav.Api.QBittorrent.Labels;

/// <summary>Categories and tags: those created by clients, and the import categories, which are folders of the tree. Thread-safe.</summary>
internal sealed class QbitLabels(TorrentLabels labels, SabCategories folders, IServiceProvider services)
{
    /// <summary>Save paths by category, as given by clients; empty: the default path.</summary>
    public async ValueTask<IReadOnlyDictionary<string, string>> ListCategoriesAsync(CancellationToken cancellationToken)
    {
        var all = new SortedDictionary<string, string>(StringComparer.Ordinal);
        foreach (var name in await folders.ListAsync(cancellationToken))
            all[name] = "";
        foreach (var category in await labels.ListCategoriesAsync(cancellationToken))
            all[category.Name] = category.SavePath;
        return all;
    }

    /// <summary>All tags, by name.</summary>
    public ValueTask<IReadOnlyList<string>> ListTagsAsync(CancellationToken cancellationToken) => labels.ListTagsAsync(cancellationToken);

    /// <summary>True for a valid folder name: the *arrs look for a category's folder.</summary>
    public static bool CanBeCategory(string name) => SafeName.Of(name) == name;

    /// <summary>Finds a category: first by exact name, then ignoring case.</summary>
    /// <returns>Null if there is none.</returns>
    public async ValueTask<string?> FindCategoryAsync(string name, CancellationToken cancellationToken)
    {
        var known = await ListCategoriesAsync(cancellationToken);
        return known.ContainsKey(name) ? name : known.Keys.FirstOrDefault(one => one.Equals(name, StringComparison.OrdinalIgnoreCase));
    }

    /// <summary>Creates a category with its folder.</summary>
    /// <returns>False if a category of that name exists.</returns>
    public async Task<bool> CreateCategoryAsync(string name, string savePath, CancellationToken cancellationToken)
    {
        if ((await ListCategoriesAsync(cancellationToken)).ContainsKey(name)
            || !await labels.CreateCategoryAsync(new TorrentCategory(name, savePath), cancellationToken))
            return false;

        // The mount must list the folder before anything is in it.
        if (services.GetService<LibraryStore>() is { } library)
            await library.EnsureRootsAsync([name], cancellationToken);
        return true;
    }

    /// <summary>Changes a category's save path. It is only stored and returned to clients: nothing is written there.</summary>
    /// <returns>False if there is no category of that name.</returns>
    public async Task<bool> ChangeCategoryAsync(string name, string savePath, CancellationToken cancellationToken)
    {
        var category = new TorrentCategory(name, savePath);
        if (await labels.ChangeCategoryAsync(category, cancellationToken))
            return true;
        return (await ListCategoriesAsync(cancellationToken)).ContainsKey(name)
            && await labels.CreateCategoryAsync(category, cancellationToken);
    }

    /// <inheritdoc cref="TorrentLabels.RemoveCategoriesAsync"/>
    public Task RemoveCategoriesAsync(IReadOnlyCollection<string> names, CancellationToken cancellationToken) =>
        labels.RemoveCategoriesAsync(names, cancellationToken);

    /// <inheritdoc cref="TorrentLabels.CreateTagsAsync"/>
    public Task CreateTagsAsync(IReadOnlyCollection<string> names, CancellationToken cancellationToken) =>
        labels.CreateTagsAsync(names, cancellationToken);

    /// <inheritdoc cref="TorrentLabels.RemoveTagsAsync"/>
    public Task RemoveTagsAsync(IReadOnlyCollection<string> names, CancellationToken cancellationToken) =>
        labels.RemoveTagsAsync(names, cancellationToken);
}
