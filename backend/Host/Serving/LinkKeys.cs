using System.Security.Cryptography;
using NzbDav.Catalog.Moving;
using NzbDav.WebDav.View;

namespace NzbDav.Host.Serving;

/// <summary>The keys of signed links: <c>keys/view</c> for .strm files, <c>keys/links</c> for links to people.</summary>
/// <param name="folder">The configuration folder.</param>
internal sealed class LinkKeys(string folder)
{
    private const string Library = "view";
    private const string Person = "links";

    /// <exception cref="ServerStartException">A key file holds something else.</exception>
    public ViewLinks Open(TimeProvider time) =>
        new(SecretKey.ReadOrMake(PathOf(Library), ViewLinks.KeyLength), SecretKey.ReadOrMake(PathOf(Person), ViewLinks.KeyLength), time);

    /// <summary>Like <see cref="Open"/>, but stores no missing key: for a dry run, which changes nothing.</summary>
    /// <exception cref="ServerStartException">A key file holds something else.</exception>
    public ViewLinks OpenReadOnly(TimeProvider time) => new(ReadOrTemporary(Library), ReadOrTemporary(Person), time);

    /// <summary>Adopts keys that another gateway replaced.</summary>
    /// <exception cref="ServerStartException">A key file holds something else.</exception>
    public void Adopt(ViewLinks links) => links.Replace(ReadOrTemporary(Library), ReadOrTemporary(Person));

    /// <summary>Revokes all links to people, now and after a restart.</summary>
    /// <param name="keys">Replaces keys.</param>
    /// <param name="links">The links in use.</param>
    /// <param name="aliases">The addresses of another program, which open files here.</param>
    /// <param name="strm">True to revoke the links in .strm files too, including those written by another program.</param>
    /// <exception cref="IOException">A key or the catalog cannot be written; links revoked before that stay revoked.</exception>
    public static async Task RevokeAsync(SharedKeys keys, ViewLinks links, AliasStore aliases, bool strm)
    {
        var person = await keys.RenewAsync(Person, ViewLinks.KeyLength, CancellationToken.None);
        links.Replace(libraryKey: null, person);
        if (!strm)
            return;
        links.Replace(await keys.RenewAsync(Library, ViewLinks.KeyLength, CancellationToken.None), person);
        await aliases.RevokeKeysAsync(CancellationToken.None);
    }

    private byte[] ReadOrTemporary(string name) =>
        File.Exists(PathOf(name))
            ? SecretKey.ReadOrMake(PathOf(name), ViewLinks.KeyLength) : RandomNumberGenerator.GetBytes(ViewLinks.KeyLength);

    private string PathOf(string name) => Path.Combine(folder, "keys", name);
}
