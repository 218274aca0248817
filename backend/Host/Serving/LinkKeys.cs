using NzbDav.WebDav;

namespace NzbDav.Host.Serving;

/// <summary>The keys of signed links: <c>keys/view</c> for .strm files, <c>keys/links</c> for people.</summary>
/// <param name="folder">The configuration folder.</param>
internal sealed class LinkKeys(string folder)
{
    /// <exception cref="ServerStartException">Something else is in a key's place.</exception>
    public ViewLinks Open(TimeProvider time) => new(SecretKey.ReadOrMake(PathOf("view"), ViewLinks.KeyLength), SecretKey.ReadOrMake(PathOf("links"), ViewLinks.KeyLength), time);

    /// <summary>Makes all links for people open nothing any more, now and after a restart.</summary>
    /// <param name="links">Those that are in use.</param>
    /// <param name="strm">Those in .strm files too.</param>
    /// <exception cref="IOException">A key cannot be written; what was revoked before it stays so.</exception>
    public void Revoke(ViewLinks links, bool strm)
    {
        var person = SecretKey.Renew(PathOf("links"), ViewLinks.KeyLength);
        links.Replace(libraryKey: null, person);
        if (strm)
            links.Replace(SecretKey.Renew(PathOf("view"), ViewLinks.KeyLength), person);
    }

    private string PathOf(string name) => Path.Combine(folder, "keys", name);
}
