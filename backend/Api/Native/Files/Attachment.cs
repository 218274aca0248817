using Microsoft.Net.Http.Headers;

namespace NzbDav.Api.Native.Files;

/// <summary>Makes browsers save a response.</summary>
internal static class Attachment
{
    /// <summary>The header <c>Content-Disposition</c> with a name in any script (RFC 6266).</summary>
    public static string Of(string name)
    {
        var header = new ContentDispositionHeaderValue("attachment");
        header.SetHttpFileName(name);
        return header.ToString();
    }
}
