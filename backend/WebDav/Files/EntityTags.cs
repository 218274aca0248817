using Microsoft.Extensions.Primitives;

namespace NzbDav.WebDav.Files;

/// <summary>Comparison of entity tags in header lists (RFC 9110 §8.8.3.2).</summary>
internal static class EntityTags
{
    /// <summary>True if a list contains <c>*</c> or the tag.</summary>
    /// <param name="lists">The header's values.</param>
    /// <param name="etag">The item's strong tag with quotes.</param>
    /// <param name="weak">Whether a weak tag in the list may match.</param>
    public static bool Contains(in StringValues lists, string etag, bool weak)
    {
        foreach (var list in lists)
        {
            var rest = list.AsSpan().Trim(" \t,");
            if (rest is "*")
                return true;
            while (!rest.IsEmpty)
            {
                if (Matches(Next(ref rest), etag, weak))
                    return true;
            }
        }

        return false;
    }

    /// <summary>Compares one tag. An unquoted tag, which some clients send, is compared with the text between the quotes.</summary>
    public static bool Matches(ReadOnlySpan<char> tag, string etag, bool weak)
    {
        if (tag.StartsWith("W/", StringComparison.Ordinal))
        {
            if (!weak)
                return false;
            tag = tag[2..];
        }

        return tag.SequenceEqual(etag)
            || (!tag.IsEmpty && tag[0] != '"' && etag.Length > 2 && tag.SequenceEqual(etag.AsSpan(1, etag.Length - 2)));
    }

    /// <summary>Removes the next tag from a list. A comma between quotes belongs to the tag.</summary>
    private static ReadOnlySpan<char> Next(ref ReadOnlySpan<char> rest)
    {
        var quoted = false;
        var at = 0;
        for (; at < rest.Length && (quoted || rest[at] != ','); at++)
            quoted ^= rest[at] == '"';
        var tag = rest[..at].Trim(" \t");
        rest = rest[at..].TrimStart(" \t,");
        return tag;
    }
}
