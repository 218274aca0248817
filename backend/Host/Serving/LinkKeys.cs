using System.Security.Cryptography;
using NzbDav.Catalog;
using NzbDav.WebDav;

namespace NzbDav.Host.Serving;

/// <summary>The keys of signed links: <c>keys/view</c> for .strm files, <c>keys/links</c> for people.</summary>
/// <param name="folder">The configuration folder.</param>
internal sealed class LinkKeys(string folder)
{
    /// <exception cref="ServerStartException">Something else is in a key's place.</exception>
    public ViewLinks Open(TimeProvider time) => new(SecretKey.ReadOrMake(PathOf("view"), ViewLinks.KeyLength), SecretKey.ReadOrMake(PathOf("links"), ViewLinks.KeyLength), time);

    /// <summary>As <see cref="Open"/>, but no key is kept that was not there: for a look that changes nothing.</summary>
    /// <exception cref="ServerStartException">Something else is in a key's place.</exception>
    public ViewLinks OpenToLook(TimeProvider time) => new(Look("view"), Look("links"), time);

    /// <summary>Makes all links for people open nothing any more, now and after a restart.</summary>
    /// <param name="links">Those that are in use.</param>
    /// <param name="aliases">Files that addresses of another program open.</param>
    /// <param name="strm">Those in .strm files too, also those that another program wrote.</param>
    /// <exception cref="IOException">A key or the catalog cannot be written; what was revoked before it stays so.</exception>
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
