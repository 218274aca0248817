namespace NzbDav.Content;

/// <summary>Why bytes could not be read.</summary>
public enum ContentFault
{
    /// <summary>The bytes are gone everywhere: permanent (HTTP 404).</summary>
    Missing,

    /// <summary>Every copy that could be fetched is damaged: treated as permanent (HTTP 404).</summary>
    Corrupt,

    /// <summary>No source answers now; trying later may succeed (HTTP 503).</summary>
    Unavailable,
}
