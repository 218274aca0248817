using NzbDav.Api.QBittorrent.Listing;
using NzbDav.Api.QBittorrent.Routing;

namespace NzbDav.Api.QBittorrent.Labels;

/// <summary>Categories, by which Sonarr and Radarr recognise their torrents.</summary>
internal sealed class CategoryCalls(QbitList list, QbitTargets targets, QbitLabels labels, NzbTorrents jobs) : IQbitCalls
{
    private const string Unnamed = "Category cannot be empty";
    private const string Incorrect = "Incorrect category name";

    public IEnumerable<QbitRoute> Routes =>
    [
        QbitRoute.Read("torrents/categories", ListAsync),
        QbitRoute.Change("torrents/createCategory", CreateAsync, "category"),
        QbitRoute.Change("torrents/editCategory", EditAsync, "category"),
        QbitRoute.Change("torrents/removeCategories", RemoveAsync, "categories"),
        QbitRoute.Change("torrents/setCategory", SetAsync, "hashes", "category"),
    ];

    private async ValueTask<QbitReply> ListAsync(QbitCall call, CancellationToken cancellationToken) => QbitReply.Json(
        (await labels.ListCategoriesAsync(cancellationToken))
            .ToDictionary(static pair => pair.Key, static pair => new Dictionary<string, string>(
            StringComparer.Ordinal)
            { ["name"] = pair.Key, ["savePath"] = pair.Value }, StringComparer.Ordinal));

    private async ValueTask<QbitReply> CreateAsync(QbitCall call, CancellationToken cancellationToken)
    {
        var name = call.Text("category")!;
        if (name.Length == 0)
            return QbitReply.BadRequest(Unnamed);
        if (!QbitLabels.CanBeCategory(name))
            return QbitReply.Conflict(Incorrect);
        return await labels.CreateCategoryAsync(name, call.Text("savePath") ?? "", cancellationToken)
            ? QbitReply.Done : QbitReply.Conflict("Unable to create category");
    }

    private async ValueTask<QbitReply> EditAsync(QbitCall call, CancellationToken cancellationToken)
    {
        var name = call.Text("category")!;
        if (name.Length == 0)
            return QbitReply.BadRequest(Unnamed);
        return await labels.ChangeCategoryAsync(name, call.Text("savePath") ?? "", cancellationToken)
            ? QbitReply.Done : QbitReply.Conflict("Unable to edit category");
    }

    private async ValueTask<QbitReply> RemoveAsync(QbitCall call, CancellationToken cancellationToken)
    {
        await labels.RemoveCategoriesAsync(call.List("categories", '\n'), cancellationToken);
        return QbitReply.Done;
    }

    /// <summary>
    /// An empty category removes a torrent from its category. Its files stay where they are, so that a running import still finds them.
    /// </summary>
    private async ValueTask<QbitReply> SetAsync(QbitCall call, CancellationToken cancellationToken)
    {
        var name = call.Text("category")!;
        if (name.Length > 0)
        {
            if (await labels.FindCategoryAsync(name, cancellationToken) is not { } known)
                return QbitReply.Conflict(Incorrect);
            name = known;
        }

        var meant = await targets.FindAsync(call, cancellationToken);
        if (list.Shelf is { } shelf)
            await shelf.SetCategoryAsync(meant.Torrents, name, cancellationToken);
        if (name.Length > 0)
            await jobs.SetCategoryAsync(meant.Jobs, name, cancellationToken);
        return QbitReply.Done;
    }
}
