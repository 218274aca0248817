using System.Security.Cryptography;
using NzbDav.Catalog.Moving;
using NzbDav.WebDav.View;

namespace NzbDav.Host.Serving;

/// <summary>The keys of signed links: <c>keys/view</c> for .strm files, <c>keys/links</c> for links to people.</summary>
/// <param name="folder">The configuration folder.</param>
internal sealed class LinkKeys(string folder)
{
    /// <exception cref="ServerStartException">A key file holds something else.</exception>
    public ViewLinks Open(TimeProvider time) => new(SecretKey.ReadOrMake(PathOf("view"), ViewLinks.KeyLength), SecretKey.ReadOrMake(PathOf("links"), ViewLinks.KeyLength), time);

    /// <summary>Like <see cref="Open"/>, but stores no missing key: for a dry run, which changes nothing.</summary>
    /// <exception cref="ServerStartException">A key file holds something else.</exception>
    public ViewLinks OpenToLook(TimeProvider time) => new(Look("view"), Look("links"), time);

    /// <summary>Revokes all links to people, now and after a restart.</summary>
    /// <param name="links">The links in use.</param>
    /// <param name="aliases">The addresses of another program, which open files here.</param>
    /// <param name="strm">True to revoke the links in .strm files too, including those written by another program.</param>
    /// <exception cref="IOException">A key or the catalog cannot be written; links revoked before that stay revoked.</exception>
    public async Task RevokeAsync(ViewLinks links, AliasStore aliases, bool strm)
    {
        var person = SecretKey.Renew(PathOf("links"), ViewLinks.KeyLength);
        links.Replace(libraryKey: null, person);
        if (!strm)
            return;
        links.Replace(SecretKey.Renew(PathOf("view"), ViewLinks.KeyLength), person);
        await aliases.RevokeKeysAsync(CancellationToken.None);
    }

    private byte[] Look(string name) =>
        File.Exists(PathOf(name)) ? SecretKey.ReadOrMake(PathOf(name), ViewLinks.KeyLength) : RandomNumberGenerator.GetBytes(ViewLinks.KeyLength);

    private string PathOf(string name) => Path.Combine(folder, "keys", name);
}
