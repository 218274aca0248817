using Microsoft.AspNetCore.Http;
using NzbDav.Access.Callers;
using NzbDav.Access.Rules;
using NzbDav.Catalog.Links;
using NzbDav.Catalog.Tree;
using NzbDav.Library;
using NzbDav.WebDav.Store;
using NzbDav.WebDav.View;

namespace NzbDav.Api.Native.Links;

/// <summary>A link made for a caller.</summary>
/// <param name="Path">What follows scheme and host, including the URL base.</param>
/// <param name="Expires">When it stops working.</param>
internal sealed record MadeLink(string Path, DateTimeOffset Expires);

/// <summary>Makes the links that open one file without a password, and checks them when they are used. Thread-safe.</summary>
internal sealed class MadeLinks(ViewLinks views, SignedLinkStore store, LinkMakers makers, TimeProvider time) : IMadeLinks
{
    /// <summary>A player's link that ends at most this much earlier than a new one would is used again, and nothing is written.</summary>
    private static readonly TimeSpan Slack = TimeSpan.FromHours(1);

    /// <summary>The longest life that the caller may ask for, in hours.</summary>
    public int MostHours(HttpContext http) => makers.MostHours(Caller.Of(http));

    /// <summary>Makes a link to a file.</summary>
    /// <param name="http">The request of its maker.</param>
    /// <param name="item">The file.</param>
    /// <param name="length">How long it works. It may end earlier, with the maker's sign-in.</param>
    /// <param name="isPlay">True for a player's link: the maker has one for each file.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <exception cref="NzbDav.Catalog.Database.CatalogException">It cannot be stored.</exception>
    public async ValueTask<MadeLink> MakeAsync(
        HttpContext http, CatalogItem item, TimeSpan length, bool isPlay, CancellationToken cancellationToken)
    {
        var maker = makers.Of(http) ?? throw new InvalidOperationException("Nobody makes a link: the route has no rule.");
        var now = time.GetUtcNow();
        var end = makers.EndFor(Caller.Of(http)) is { } latest && latest < now + length ? latest : now + length;
        var link = new SignedLink
        { ItemId = item.Id, Via = maker.Via, Name = maker.Name, Proof = maker.Proof, IsPlay = isPlay, CreatedAt = now, Expires = end };
        if (isPlay && await store.FindPlayAsync(link, cancellationToken) is { } known && known.Expires >= end - Slack)
            link = known;
        else
            link = link with { Id = await store.AddAsync(link, cancellationToken) };

        // The link contains the id, because the file may be renamed while it is valid. Not the stable path, which would count as a
        // library's link.
        var path = views.PathTo(StorePath.TryParse(LibraryStore.PlayPath(item.Id))!, item.Name, link.Id, link.Expires);
        return new MadeLink(http.Request.PathBase.ToUriComponent() + path, link.Expires);
    }

    /// <inheritdoc/>
    public async ValueTask<bool> StandsAsync(long id, CancellationToken cancellationToken) =>
        await store.FindAsync(id, cancellationToken) is { } link && await StandsAsync(link, cancellationToken);

    /// <summary>The links that still open something, latest first.</summary>
    /// <param name="http">The request of the caller whose links are wanted.</param>
    /// <param name="all">True: everybody's.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    public async ValueTask<IReadOnlyList<SignedLink>> ListAsync(HttpContext http, bool all, CancellationToken cancellationToken)
    {
        if (makers.Of(http) is not { } caller)
            return [];
        var standing = new List<SignedLink>();
        var judged = new Dictionary<LinkMaker, bool>();
        foreach (var link in await store.ListAsync(all ? null : (caller.Via, caller.Name), cancellationToken))
        {
            var maker = MakerOf(link);
            if (!judged.TryGetValue(maker, out var stands))
                judged[maker] = stands = await makers.MayReadAsync(maker, cancellationToken);
            if (stands)
                standing.Add(link);
        }

        return standing;
    }

    /// <summary>Revokes a link, durably. It opens nothing from the next request on.</summary>
    /// <param name="http">The request of the caller.</param>
    /// <param name="id">The link.</param>
    /// <param name="cancellationToken">Cancels the operation.</param>
    /// <returns>False if there is no such link that the caller may revoke.</returns>
    public async ValueTask<bool> RevokeAsync(HttpContext http, long id, CancellationToken cancellationToken)
    {
        if (await store.FindAsync(id, cancellationToken) is not { } link)
            return false;
        var isOwn = makers.Of(http) is { } caller && caller.Via == link.Via
            && string.Equals(caller.Name, link.Name, StringComparison.OrdinalIgnoreCase);
        return (isOwn || Caller.Of(http).Rights.HasFlag(Access.Keys.ApiRights.Manage)) && await store.RemoveAsync(id, cancellationToken);
    }

    private static LinkMaker MakerOf(SignedLink link) => new(link.Via, link.Name, link.Proof);

    private async ValueTask<bool> StandsAsync(SignedLink link, CancellationToken cancellationToken) =>
        time.GetUtcNow() < link.Expires && await makers.MayReadAsync(MakerOf(link), cancellationToken);
}
