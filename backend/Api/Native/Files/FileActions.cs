using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Http.HttpResults;
using NzbDav.Access.Replies;
using NzbDav.Api.Native.Replies;
using NzbDav.Catalog.Links;
using NzbDav.Catalog.Tree;
using NzbDav.Library;
using NzbDav.WebDav.Store;

namespace NzbDav.Api.Native.Files;

/// <summary>
/// Deletes, moves and renames through the same collections as WebDAV: files that a library holds stay, names have to be safe, and caches
/// and listeners are notified.
/// </summary>
internal sealed class FileActions(FileFinder finder, LibraryStore store, TreeStore tree, UnwantedItems unwanted)
{
    private const int MostItems = 1_000;

    /// <summary>Enough for the largest number of ids.</summary>
    private const int LargestBody = 64 << 10;

    public async Task<Results<Ok<ActionAnswerBody>, UnprocessableEntity<ErrorBody>, EmptyHttpResult>> ActAsync(
        HttpContext http, CancellationToken cancellationToken)
    {
        if (await JsonBody.ReadAsync(http, FilesJson.Default.FilesActionBody, LargestBody) is not { } body)
            return TypedResults.Empty;
        var ids = body.Ids ?? [];
        FoundItem? target = null;
        if (ids.Count is < 1 or > MostItems)
            return Wrong($"ids must have 1 to {MostItems} items.");
        switch (body.Action)
        {
            case FilesActionKind.Delete:
                break;
            case FilesActionKind.Move when body.ParentId is not null:
                target = await finder.FindAsync(body.ParentId, cancellationToken);
                if (target is not { Item.IsCollection: true })
                    return Wrong("parentId is not the id of a collection.");
                break;
            case FilesActionKind.Rename when ids.Count == 1 && body.Name is not null:
                break;
            default:
                return Wrong("action must be delete, move with parentId, or rename with one id and name.");
        }

        var done = 0;
        var refused = new List<RefusedBody>();
        foreach (var id in ids)
        {
            var refusal = await finder.FindAsync(id, cancellationToken) is { } found
                ? await ActAsync(found, body, target, cancellationToken) : "It no longer exists.";
            if (refusal is null)
                done++;
            else
                refused.Add(new RefusedBody(id ?? "", refusal));
        }

        return TypedResults.Ok(new ActionAnswerBody(done, refused));
    }

    private static UnprocessableEntity<ErrorBody> Wrong(string error) => TypedResults.UnprocessableEntity(new ErrorBody(error));

    /// <returns>Why it was refused; null if it was done.</returns>
    private async ValueTask<string?> ActAsync(FoundItem found, FilesActionBody body, FoundItem? target, CancellationToken cancellationToken)
    {
        if (found.Steps.Count < 3)
            return "Categories cannot be changed here: only jobs and their contents can be deleted, moved and renamed.";
        if (body is { Action: FilesActionKind.Delete, Force: true })
        {
            await tree.DeleteAsync(found.Item.Id, cancellationToken);
            await unwanted.LoadAsync(cancellationToken);
            return null;
        }

        var parent = found.Names[..^1];
        if (await CollectionAsync(parent, cancellationToken) is not { } source)
            return "It no longer exists.";
        if (body.Action == FilesActionKind.Delete)
            return Reason(await source.DeleteAsync(found.Item.Name, cancellationToken));

        var (names, name) = body.Action == FilesActionKind.Move ? (target!.Names, found.Item.Name) : (parent, body.Name!);
        if (await CollectionAsync(names, cancellationToken) is not { } destination)
            return "The collection no longer exists.";
        if (names.AsSpan().SequenceEqual(parent) && name == found.Item.Name)
            return null;

        // As over WebDAV with Overwrite: F. Dragging a folder must not replace another.
        if (await tree.ResolveAsync([.. names, name], cancellationToken) is not null)
            return $"There is already an item called {name}.";
        return Reason(await source.MoveAsync(found.Item.Name, destination, name, cancellationToken));
    }

    private async ValueTask<IStoreCollection?> CollectionAsync(string[] names, CancellationToken cancellationToken) =>
        await store.GetItemAsync(names.Aggregate(StorePath.Root, (path, name) => path.Child(name)), cancellationToken) as IStoreCollection;

    private static string? Reason(StoreWriteResult result) => result.Status switch
    {
        StoreWriteStatus.Deleted or StoreWriteStatus.Created or StoreWriteStatus.Replaced => null,
        StoreWriteStatus.NotFound => "It no longer exists.",
        _ => result.Reason ?? "It was refused.",
    };
}

/// <summary>An action on files and collections.</summary>
/// <param name="Action">The action.</param>
/// <param name="Ids">Ids of the items: 1 to 1,000; exactly one for rename.</param>
/// <param name="ParentId">Move: id of the target collection.</param>
/// <param name="Name">Rename: the new name.</param>
/// <param name="Force">Delete: also delete files to which a library has, or may have, a link.</param>
internal sealed record FilesActionBody(
    FilesActionKind? Action, IReadOnlyList<string?>? Ids, string? ParentId = null, string? Name = null, bool? Force = null);

/// <summary>An action on files and collections.</summary>
internal enum FilesActionKind
{
    /// <summary>Delete with everything below.</summary>
    Delete,

    /// <summary>Move to another collection.</summary>
    Move,

    /// <summary>Rename within the same collection.</summary>
    Rename,
}
