namespace NzbDav.WebDav.Locks;

/// <summary>One condition of an If header: a state token or an entity tag, one of them null.</summary>
/// <param name="Not">The opposite is asked for.</param>
/// <param name="Token">A state token without its angle brackets.</param>
/// <param name="ETag">An entity tag with its quotes.</param>
internal readonly record struct IfCondition(bool Not, string? Token, string? ETag);
